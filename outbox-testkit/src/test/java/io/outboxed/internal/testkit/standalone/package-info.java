/** What the kit does without a server. */
package io.outboxed.internal.testkit.standalone;

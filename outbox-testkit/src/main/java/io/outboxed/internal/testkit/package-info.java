/** What the test kit reads, records and disturbs, with and without a server. */
package io.outboxed.internal.testkit;

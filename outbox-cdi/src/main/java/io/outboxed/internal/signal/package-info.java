/** Where capture and the relay meet without knowing each other. */
package io.outboxed.internal.signal;

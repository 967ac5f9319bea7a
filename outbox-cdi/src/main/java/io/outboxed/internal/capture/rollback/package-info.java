/** Transactions in which the outbox has failed: they must not be committed, and no call in them may look like a success. */
package io.outboxed.internal.capture.rollback;

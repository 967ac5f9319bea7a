/** What a failure means: another try, and when; a handler that is down; a dead letter. Knows no lanes and no threads. */
package io.outboxed.internal.relay.failure;

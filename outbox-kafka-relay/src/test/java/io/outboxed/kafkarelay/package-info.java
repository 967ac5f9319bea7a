/** The deployment that only forwards, in a server. */
package io.outboxed.kafkarelay;

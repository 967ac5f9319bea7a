/** The connection between capture and the relay, which do not depend on each other. */
package io.outboxed.internal.signal;

/** The example in servers that have MicroProfile Reactive Messaging, with a real broker. */
package io.outboxed.reactivemessaging;

/** Forwards events by Jakarta Messaging: a handler of any type, its settings, and what a message looks like. */
package io.outboxed.jms;

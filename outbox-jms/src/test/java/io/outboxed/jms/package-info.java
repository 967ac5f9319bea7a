/** The forwarder against a real broker, in a process of its own that is killed. */
package io.outboxed.jms;

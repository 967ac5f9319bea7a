/** What the relay takes from its container: start at {@code HandlerExecutorTest}. */
package io.outboxed.ejb;

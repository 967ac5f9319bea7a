/** What the probes answer: start at {@code RelayHealthTest}. */
package io.outboxed.internal.health;

/**
 * The relay's protocol alone, searched exhaustively. Start with {@code RelayModelTest}. A new step belongs in
 * {@code Transitions}; a new rule in {@code Rule}, with the promise that it protects in {@code Promises}.
 * {@code Scenario} says what is searched, {@code ModelChecker} searches it.
 */
package io.outboxed.internal.relay.model;

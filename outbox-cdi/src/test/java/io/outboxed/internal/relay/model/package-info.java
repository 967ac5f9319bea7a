/**
 * The relay's protocol alone, searched exhaustively: start at {@code RelayModelTest}. A new step: {@code Transitions};
 * a new rule: {@code Rule}, with the promise that it protects in {@code Promises}.
 */
package io.outboxed.internal.relay.model;

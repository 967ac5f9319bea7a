/**
 * Observers and how they are called: start at {@code ObserverInvocationTest}; what a deployment refuses at {@code RefusedHandlersTest}.
 */
package io.outboxed.internal.handlers;

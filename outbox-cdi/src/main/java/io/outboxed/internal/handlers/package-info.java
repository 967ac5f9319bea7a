/**
 * Which observers are handlers, and how one is called inside its transaction.
 *
 * <p>{@code HandlersExtension} finds and checks the handlers while the application is deployed, {@code CdiHandlerInvoker} calls
 * one when the relay asks for it.
 */
package io.outboxed.internal.handlers;

/**
 * Which observers are handlers: found and checked by {@code HandlersExtension} while the application is deployed. The relay
 * calls them through {@code CdiHandlerInvoker}; {@code invocation} holds what one call consists of. {@code
 * ApplicationNotifier} tells the application of failures and dead letters.
 */
package io.outboxed.internal.handlers;

/**
 * Which observers are handlers: found and checked by {@code HandlersExtension} while the application is deployed. The relay
 * calls them through {@code CdiHandlerInvoker}; {@code invocation} holds what one call consists of.
 */
package io.outboxed.internal.handlers;

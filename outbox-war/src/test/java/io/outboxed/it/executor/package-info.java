/** The relay on a managed executor of the application. */
package io.outboxed.it.executor;

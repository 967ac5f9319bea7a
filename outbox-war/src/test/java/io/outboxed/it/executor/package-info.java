/** The relay on a managed executor: that of the application, or the default one. */
package io.outboxed.it.executor;

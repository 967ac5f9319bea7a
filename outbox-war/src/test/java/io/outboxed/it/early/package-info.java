/** Events that are published while the application starts. */
package io.outboxed.it.early;

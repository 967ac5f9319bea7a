/** A deployment whose handlers can't work. */
package io.outboxed.it.refused;

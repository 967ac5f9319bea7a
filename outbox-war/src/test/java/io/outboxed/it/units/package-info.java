/** An application with a persistence unit on a second database. */
package io.outboxed.it.units;

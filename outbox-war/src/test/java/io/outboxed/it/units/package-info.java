/** An application with a second database. Start with {@code OtherDataSourceIT}. */
package io.outboxed.it.units;

/** Creates the tables and checks them: structure, isolation, locks, transactions. JDK only. */
package io.outboxed.internal.schema;

/**
 * What operators can do: see what is stored, change dead letters, check the database. The beans and the command line
 * are thin layers over these classes, which need connections and a table prefix, but no container.
 */
package io.outboxed.internal.operations;

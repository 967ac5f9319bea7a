/**
 * The real databases that tests of other modules start. A change of their start, stop or configuration starts with
 * {@code RealDatabaseContract}, which kills servers and the JVMs that started them; {@code OrphanMaker} is such a JVM.
 */
package io.outboxed.servers.database;

/**
 * The command line on every database, in this process and as the packaged program.
 *
 * <p>A new command or option starts with {@code CommandLinePageTest}, which compares docs/command-line.md with the
 * program, then with {@code OperatorContract} of the module operator-contract, whose tests the Java API and the admin
 * API have too, and with what only a shell has: arguments, texts and confirmations are in the contract for its kind,
 * {@code ReadCommandsContract}, {@code NamesToTypeContract}, {@code DeadLetterCommandsContract},
 * {@code BulkCommandsContract}, {@code CleanupCommandContract} or {@code SchemaCommandsContract}.
 * {@code CommandLineContract} collects them for each database, and {@code ServerCommandLineContract} adds
 * {@code PartitionsCommandContract} and {@code KilledDatabaseContract} on servers. Rights in the database are in
 * {@code OperatorRightsContract}, Flyway and Liquibase in {@code MigrationToolsContract}, the packaged jar in
 * {@code OutboxJarIT}, and the commands that the pages show in {@code CommandLineExamplesContract}.
 *
 * <p>Fixtures: {@code CommandRunner} runs a command, {@code Tables} of operator-contract supplies rows, {@code ScriptedTerminal} answers
 * questions.
 */
package io.outboxed.cli;

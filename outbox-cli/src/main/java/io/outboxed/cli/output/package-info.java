/** What the command line reads and prints. */
package io.outboxed.cli.output;

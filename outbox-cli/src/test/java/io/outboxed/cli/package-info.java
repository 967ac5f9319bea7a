/** The command line on every database, in this process and as the packaged program. */
package io.outboxed.cli;

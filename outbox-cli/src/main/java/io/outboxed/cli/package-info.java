/** The command line for operators: arguments, confirmations and output around the operations of the engine. */
package io.outboxed.cli;

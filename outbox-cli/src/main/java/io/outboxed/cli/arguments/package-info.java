/** What arguments of the command line mean. */
package io.outboxed.cli.arguments;

/**
 * How results are printed. A change of counts that stop at a limit starts with {@code CappedCountTest}. What whole
 * commands print is tested in the package above.
 */
package io.outboxed.cli.output;

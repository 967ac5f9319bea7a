/**
 * The parts of the benchmark that need no run. A new command-line option starts with {@code OptionsTest}. Messages are
 * tested in {@code database}, figures and the page in {@code report}, and the compared systems in {@code systems}. How rounds are
 * arranged is tested in {@code workloads}.
 */
package io.outboxed.bench;

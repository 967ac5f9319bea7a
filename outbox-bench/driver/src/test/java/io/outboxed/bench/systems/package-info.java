/**
 * The systems that Outboxed is compared with do the work that they are measured for. A new or changed one starts with
 * {@code PlainSystemsTest}, which runs on H2 with few messages.
 */
package io.outboxed.bench.systems;

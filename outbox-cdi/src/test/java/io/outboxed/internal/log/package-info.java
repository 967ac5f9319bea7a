/**
 * The trace id of log lines: start with {@code TraceIdTest}. What stored texts can't do to them is in
 * {@code StoredTextsInLogTest}. The ids of the lines themselves are compared with
 * docs/log-ids.md by {@code LogIdsPageTest} in {@code io.outboxed.docs}.
 */
package io.outboxed.internal.log;

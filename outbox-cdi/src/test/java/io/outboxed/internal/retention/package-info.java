/**
 * Cleanup of old rows, on each database. A change of what is deleted starts with {@code RetentionContract}, one of its
 * statements also with {@code RetentionPlansTest}, which checks that they use an index. {@code VolumeRun} measures
 * tables with many rows and is started by hand. {@code OldRows} makes rows of a given age.
 */
package io.outboxed.internal.retention;

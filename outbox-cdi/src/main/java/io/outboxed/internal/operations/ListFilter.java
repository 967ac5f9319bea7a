package io.outboxed.internal.operations;

/**
 * Selects lines of a list; null stands for any.
 *
 * @param handler exactly
 * @param type exactly
 * @param aggregateType exactly
 * @param aggregateId exactly
 * @param errorText a part of the last error
 */
public record ListFilter(String handler, String type, String aggregateType, String aggregateId, String errorText) {}

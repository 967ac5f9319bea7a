package io.outboxed.admin;

import java.util.UUID;

/**
 * What became of a request to replay a dead letter with another payload.
 *
 * @param result whether it was replayed
 * @param eventId the new event's id; null if it was not replayed
 */
public record EditedReplay(ReplayResult result, UUID eventId) {}

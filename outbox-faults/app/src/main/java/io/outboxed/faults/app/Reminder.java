package io.outboxed.faults.app;

import io.outboxed.EventType;

/** Published with a delay: it is outside any order, and must not be delivered before its time. */
@EventType("faults.reminder")
public record Reminder(String id) {}

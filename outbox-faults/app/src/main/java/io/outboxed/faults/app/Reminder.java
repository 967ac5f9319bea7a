package io.outboxed.faults.app;

import io.outboxed.EventType;

/** Published with a delay: it stands alone, and may not come before its time. */
@EventType("faults.reminder")
public record Reminder(String id) {}

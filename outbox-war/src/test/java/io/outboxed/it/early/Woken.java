package io.outboxed.it.early;

import io.outboxed.EventType;

@EventType("bird.woken")
public record Woken(String who) {}

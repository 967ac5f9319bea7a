package io.outboxed.it.early;

import io.outboxed.EventType;

@EventType("bird.hatched")
public record Hatched(String who) {}

package org.example.lists;

import io.outboxed.AggregateId;
import io.outboxed.EventType;

@EventType("line.added")
public record LineAdded(@AggregateId String order, String item) {}

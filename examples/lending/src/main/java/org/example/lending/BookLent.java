package org.example.lending;

import io.outboxed.AggregateId;
import io.outboxed.EventType;

/** A reader has taken a book home. */
@EventType("book.lent")
public record BookLent(@AggregateId String book, String reader) {}

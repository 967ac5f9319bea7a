package org.example.returning;

import io.outboxed.AggregateId;
import io.outboxed.EventType;

/** A book has been returned. */
@EventType("book.returned")
public record BookReturned(@AggregateId String book) {}

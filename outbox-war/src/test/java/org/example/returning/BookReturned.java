package org.example.returning;

import io.outboxed.AggregateId;
import io.outboxed.EventType;

/** A book is back. */
@EventType("book.returned")
public record BookReturned(@AggregateId String book) {}

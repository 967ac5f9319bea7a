package org.example.returning;

import io.outboxed.Outboxed;
import jakarta.ejb.Stateless;

/** Takes books back; nothing but the event is stored. */
@Stateless
public class ReturnDesk {

    @Outboxed
    public BookReturned takeBack(String book) {
        return new BookReturned(book);
    }
}

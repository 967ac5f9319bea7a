package org.example.returning;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.transaction.Transactional;
import jakarta.transaction.Transactional.TxType;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Holds the returned books. */
@ApplicationScoped
public class Shelf {
    private final Set<String> books = ConcurrentHashMap.newKeySet();

    @Transactional(TxType.NOT_SUPPORTED)
    void put(@Observes BookReturned event) {
        books.add(event.book());
    }

    Set<String> books() {
        return books;
    }
}

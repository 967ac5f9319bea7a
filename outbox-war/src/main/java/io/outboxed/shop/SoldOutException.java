package io.outboxed.shop;

import jakarta.ejb.ApplicationException;

/** The stock has no more of an item: everything that the transaction did is undone, its event too. */
@ApplicationException(rollback = true)
class SoldOutException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    SoldOutException(String item) {
        super("The item \"" + item + "\" is sold out; nothing was ordered, stored or delivered.");
    }
}

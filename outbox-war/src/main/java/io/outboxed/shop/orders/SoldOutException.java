package io.outboxed.shop.orders;

import jakarta.ejb.ApplicationException;

/** The item is sold out: everything that the transaction did is undone, including its event. */
@ApplicationException(rollback = true)
public class SoldOutException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    SoldOutException(String item) {
        super("The item \"" + item + "\" is sold out; nothing was ordered, stored or delivered.");
    }
}

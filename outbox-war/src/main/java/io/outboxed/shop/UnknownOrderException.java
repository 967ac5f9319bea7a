package io.outboxed.shop;

import jakarta.ejb.ApplicationException;

/** There is no order with this id. */
@ApplicationException(rollback = true)
class UnknownOrderException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnknownOrderException(Object orderId) {
        super("There is no order " + orderId + ".");
    }
}

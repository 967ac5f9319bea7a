package io.outboxed.shop.orders;

import jakarta.ejb.ApplicationException;

/** There is no order with this id. */
@ApplicationException(rollback = true)
public class UnknownOrderException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public UnknownOrderException(Object orderId) {
        super("There is no order " + orderId + ".");
    }
}

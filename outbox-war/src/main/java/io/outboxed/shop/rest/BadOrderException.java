package io.outboxed.shop.rest;

import java.util.List;

/** The request body is not a valid order. */
class BadOrderException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient List<OrderForm.BadField> fields;

    BadOrderException(String message, List<OrderForm.BadField> fields) {
        this(message, fields, null);
    }

    BadOrderException(String message, List<OrderForm.BadField> fields, Throwable cause) {
        super(message, cause);
        this.fields = List.copyOf(fields);
    }

    List<OrderForm.BadField> fields() {
        return fields;
    }
}

package io.outboxed.shop.orders;

/** The status of an order. */
public enum OrderStatus {
    PLACED,
    SHIPPED,
    CANCELLED
}

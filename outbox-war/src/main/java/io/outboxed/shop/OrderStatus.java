package io.outboxed.shop;

/** Where an order stands. */
public enum OrderStatus {
    PLACED,
    SHIPPED,
    CANCELLED
}

package io.outboxed.shop;

/** What a customer asks for; checked by {@link OrderForm}. */
public record NewOrder(String customer, String item, int quantity) {}

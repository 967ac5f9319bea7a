package io.outboxed.shop.orders;

import io.outboxed.shop.rest.OrderForm;

/** A customer's request; checked by {@link OrderForm}. */
public record NewOrder(String customer, String item, int quantity) {}

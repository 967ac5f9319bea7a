package io.outboxed.shop;

import jakarta.ejb.Stateless;
import jakarta.inject.Inject;

/** Buys: the order and its event first, then the stock; all in one transaction, so a stock that says no undoes both. */
@Stateless
public class Checkout {

    @Inject
    OrderService orders;

    @Inject
    Stock stock;

    public OrderPlaced buy(NewOrder wanted) {
        OrderPlaced placed = orders.place(wanted);
        stock.take(wanted.item());
        return placed;
    }
}

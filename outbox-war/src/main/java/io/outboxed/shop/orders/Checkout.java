package io.outboxed.shop.orders;

import jakarta.ejb.Stateless;
import jakarta.inject.Inject;

/**
 * Places an order: the order and its event first, then the stock. All in one transaction, so a sold-out item undoes
 * both.
 */
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

package io.outboxed.shop.orders;

import jakarta.enterprise.context.ApplicationScoped;

/** Has plenty of every item except {@code soldout}. */
@ApplicationScoped
class Stock {

    void take(String item) {
        if (item.equals("soldout")) {
            throw new SoldOutException(item);
        }
    }
}

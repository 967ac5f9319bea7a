package io.outboxed.shop;

import jakarta.enterprise.context.ApplicationScoped;

/** Has everything in plenty but the item {@code soldout}. */
@ApplicationScoped
class Stock {

    void take(String item) {
        if (item.equals("soldout")) {
            throw new SoldOutException(item);
        }
    }
}

package io.outboxed.shop;

import java.sql.SQLException;

/** The shop's database did not do what it was asked. */
class ShopDatabaseException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ShopDatabaseException(SQLException cause) {
        super("the shop's database failed: " + cause.getMessage(), cause);
    }
}

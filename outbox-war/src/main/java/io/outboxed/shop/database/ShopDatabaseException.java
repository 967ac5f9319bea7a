package io.outboxed.shop.database;

import java.sql.SQLException;

/** An operation on the shop's database failed. */
class ShopDatabaseException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ShopDatabaseException(SQLException cause) {
        super("the shop's database failed: " + cause.getMessage(), cause);
    }
}

package io.outboxed.internal.store;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.SqlText;

/** The contract of a store on a real database. */
abstract class DatabaseContract extends RelayStoreContract implements JdbcContract {
    abstract ConnectionSource source() throws Exception;

    abstract Dialect dialect();

    String prefix() {
        return SqlText.DEFAULT_PREFIX;
    }

    @Override
    public JdbcFixture jdbc() {
        return (JdbcFixture) bench();
    }

    @Override
    StoreFixture open() throws Exception {
        return new JdbcFixture(source(), dialect(), prefix());
    }

    @Override
    void close(StoreFixture opened) throws Exception {
        ((JdbcFixture) opened).close();
    }
}

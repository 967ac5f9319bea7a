package io.outboxed.internal.store;

/** The contract on a real database, and what only a database can do wrong. */
abstract class JdbcStoreContract extends RelayStoreContract {
    abstract ConnectionSource source() throws Exception;

    abstract Dialect dialect();

    JdbcBench jdbc() {
        return (JdbcBench) bench;
    }

    @Override
    StoreBench open() throws Exception {
        return new JdbcBench(source(), dialect());
    }

    @Override
    void close(StoreBench opened) throws Exception {
        ((JdbcBench) opened).close();
    }
}

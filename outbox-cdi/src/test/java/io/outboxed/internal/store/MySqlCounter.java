package io.outboxed.internal.store;

/** By how much a status variable of MySQL grows. Nothing else uses the server meanwhile. */
record MySqlCounter(JdbcFixture bench, String variable) {

    long during(Runnable query) {
        long before = value();
        query.run();
        return value() - before;
    }

    private long value() {
        return bench.number("SELECT VARIABLE_VALUE AS n FROM performance_schema.global_status WHERE VARIABLE_NAME = '"
                + variable + "'");
    }
}

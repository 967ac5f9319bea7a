package io.outboxed.bench.systems;

import com.gruelbox.transactionoutbox.DefaultPersistor;
import com.gruelbox.transactionoutbox.Dialect;
import com.gruelbox.transactionoutbox.Instantiator;
import com.gruelbox.transactionoutbox.Submitter;
import com.gruelbox.transactionoutbox.Transaction;
import com.gruelbox.transactionoutbox.TransactionManager;
import com.gruelbox.transactionoutbox.TransactionOutbox;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.outboxed.bench.database.BenchDatabase;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/**
 * gruelbox transaction-outbox in this process, set up as documented: a connection pool, its own tables, as many threads
 * as our relay has workers. The published version has no ordered topics, so it delivers without order.
 */
final class Gruelbox implements AutoCloseable {
    static final int THREADS = 8;
    private static final int CONNECTIONS = 24;
    static final int FLUSHED_AT_ONCE = 4096;
    /** It rejects a time that is not in the future. */
    static final Duration SOON = Duration.ofSeconds(2);

    /** When it retries a message that two of its threads wanted at the same time. */
    static final Duration RETRY = Duration.ofSeconds(5);

    private final HikariDataSource pool;
    private final TransactionManager transactions;
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    private final TransactionOutbox relay;
    private final TransactionOutbox withoutRelay;

    /** @param handler called for each message */
    Gruelbox(BenchDatabase database, Handler handler) {
        this.pool = pool(database);
        this.transactions = TransactionManager.fromDataSource(pool);
        Instantiator instantiator = Instantiator.using(type -> handler);
        this.relay = outbox(database, instantiator, Submitter.withExecutor(threads), RETRY);
        // publishes rows that only a flush finds
        this.withoutRelay = outbox(database, instantiator, (entry, call) -> {}, SOON);
    }

    /** Called by gruelbox by reflection. */
    public static class Handler {
        private final Consumer<Long> action;

        Handler(Consumer<Long> action) {
            this.action = action;
        }

        /** Needed by the proxy that records the call. */
        protected Handler() {
            this(number -> {});
        }

        public void handle(long number, String text) {
            action.accept(number);
        }
    }

    private TransactionOutbox outbox(
            BenchDatabase database, Instantiator instantiator, Submitter submitter, Duration retry) {
        return TransactionOutbox.builder()
                .transactionManager(transactions)
                .persistor(DefaultPersistor.builder().dialect(dialect(database)).build())
                .instantiator(instantiator)
                .submitter(submitter)
                .attemptFrequency(retry)
                .flushBatchSize(FLUSHED_AT_ONCE)
                .build();
    }

    private static Dialect dialect(BenchDatabase database) {
        return switch (database.product()) {
            case MYSQL, MARIADB -> Dialect.MY_SQL_8;
            case POSTGRESQL -> Dialect.POSTGRESQL_9;
            case H2 -> Dialect.H2;
        };
    }

    private static HikariDataSource pool(BenchDatabase database) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.url());
        config.setUsername(database.user());
        config.setPassword(database.password());
        config.setMaximumPoolSize(CONNECTIONS);
        return new HikariDataSource(config);
    }

    /** What the publishing transaction does. */
    interface Work {
        void run(Transaction transaction) throws Exception;
    }

    /** Runs a transaction whose messages are delivered immediately after its commit. */
    void publish(Work work, long number, String text) throws Exception {
        transactions.inTransactionThrows(transaction -> {
            work.run(transaction);
            relay.schedule(Handler.class).handle(number, text);
        });
    }

    /** Runs a transaction whose messages wait for a {@link #flush()}, after {@link #SOON}. */
    void leave(Iterable<String> texts) {
        transactions.inTransaction(transaction -> {
            for (String text : texts) {
                withoutRelay.schedule(Handler.class).handle(0, text);
            }
        });
    }

    /** @return whether there was something to do */
    boolean flush() {
        return relay.flush();
    }

    @Override
    public void close() {
        threads.shutdownNow();
        pool.close();
    }
}

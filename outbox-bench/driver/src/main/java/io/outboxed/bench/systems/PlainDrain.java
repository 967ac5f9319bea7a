package io.outboxed.bench.systems;

import io.outboxed.bench.database.Backlog;
import io.outboxed.bench.database.BenchDatabase;
import io.outboxed.bench.database.Meter;
import io.outboxed.bench.database.Shape;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A drain with plain JDBC: a {@link PlainReader} and workers, all in this process, each with a connection of its own.
 */
final class PlainDrain implements AutoCloseable {
    static final String PREFIX = "limit_";
    private static final int PAGES_AHEAD = 4;

    private final BenchDatabase database;
    private final Backlog backlog;
    private final int workers;
    private final int pageRows;
    private final ExecutorService threads;
    private final List<Connection> connections = new ArrayList<>();

    /** What a worker does with the rows of its lanes. */
    interface Work {
        void handle(Connection connection, List<PlainRow> rows) throws SQLException;
    }

    PlainDrain(BenchDatabase database, Backlog backlog, int workers, int pageRows) {
        this.database = database;
        this.backlog = backlog;
        this.workers = workers;
        this.pageRows = pageRows;
        this.threads = Executors.newFixedThreadPool(workers + 1);
        backlog.createOutbox(PREFIX);
        database.execute("UPDATE limit_shard SET owner = 'limit', epoch = 1 WHERE shard = 0");
    }

    Drained drain(Shape shape, Work work) {
        backlog.prepare(shape);
        backlog.rest(PREFIX);
        open();
        Meter meter =
                Meter.beforeFilling(database, List.of(ProcessHandle.current().pid()), shape.messages());
        Backlog.Hidden hidden = backlog.fill(shape, PREFIX);
        meter.start();
        long begin = hidden.release();
        run(work);
        backlog.awaitEmpty(PREFIX);
        double seconds = (System.nanoTime() - begin) / 1e9;
        return new Drained(shape.messages(), seconds, meter.stop());
    }

    /** For the reader and the workers; they stay open like those of a relay. */
    private void open() {
        try {
            while (connections.size() <= workers) {
                Connection connection = database.connectForDraining();
                if (!connections.isEmpty()) {
                    connection.setAutoCommit(false);
                    connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
                }
                connections.add(connection);
            }
        } catch (SQLException e) {
            throw new IllegalStateException("no connection for plain JDBC", e);
        }
    }

    private void run(Work work) {
        List<BlockingQueue<List<PlainRow>>> queues = new ArrayList<>();
        List<CompletableFuture<Void>> running = new ArrayList<>();
        for (int i = 0; i < workers; i++) {
            BlockingQueue<List<PlainRow>> queue = new ArrayBlockingQueue<>(PAGES_AHEAD);
            queues.add(queue);
            Connection connection = connections.get(i + 1);
            running.add(CompletableFuture.runAsync(() -> work(connection, queue, work), threads));
        }
        running.add(CompletableFuture.runAsync(() -> read(queues), threads));
        // completes with the first failure, instead of waiting for rows that a failed worker no longer takes
        CompletableFuture<Void> failed = new CompletableFuture<>();
        running.forEach(each -> each.whenComplete((nothing, failure) -> {
            if (failure != null) {
                failed.completeExceptionally(failure);
            }
        }));
        CompletableFuture.anyOf(CompletableFuture.allOf(running.toArray(CompletableFuture[]::new)), failed)
                .join();
    }

    private void read(List<BlockingQueue<List<PlainRow>>> queues) {
        try {
            PlainReader.deal(connections.get(0), pageRows, queues);
        } catch (SQLException e) {
            throw new IllegalStateException("the claimer failed", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void work(Connection connection, BlockingQueue<List<PlainRow>> queue, Work work) {
        try {
            for (List<PlainRow> rows = queue.take(); !rows.isEmpty(); rows = queue.take()) {
                work.handle(connection, rows);
            }
        } catch (SQLException e) {
            throw new IllegalStateException("a worker failed", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
        for (Connection connection : connections) {
            try {
                connection.close();
            } catch (SQLException e) {
                throw new IllegalStateException("a connection of plain JDBC could not be closed", e);
            }
        }
    }
}

package io.outboxed.kafka;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.BooleanSupplier;

/** Rows of the outbox, and a process that sends them. */
final class RowSender implements Sender {
    private final CapturedDatabase database;
    private final StoredEvents stored;
    private final Connection publisher;
    private final long process;
    private final Runnable end;
    private final BooleanSupplier idle;

    private RowSender(CapturedDatabase database, StoredEvents stored, long process, Runnable end, BooleanSupplier idle)
            throws SQLException {
        this.database = database;
        this.stored = stored;
        this.process = process;
        this.end = end;
        this.idle = idle;
        this.publisher = stored.open();
        publisher.setAutoCommit(false);
    }

    /** Sends a row, and deletes it when Kafka has confirmed it. */
    static RowSender relay(CapturedDatabase database, Topic topic) throws SQLException, IOException {
        StoredEvents stored = StoredEvents.in(database.server());
        RelayProcess relay = RelayProcess.start(stored.url(), topic);
        return new RowSender(database, stored, relay.pid(), relay::close, () -> stored.left() == 0);
    }

    /** Reads the database's log; the rows stay. */
    static RowSender debezium(CapturedDatabase database, Topic topic) throws SQLException, IOException {
        StoredEvents stored = StoredEvents.in(database.server());
        database.allowDebezium();
        ConnectWorker connect = database.startDebezium(topic.kafka());
        return new RowSender(database, stored, connect.pid(), connect::close, () -> true);
    }

    @Override
    public long process() {
        return process;
    }

    @Override
    public long database() {
        return database.server().pid();
    }

    @Override
    public Release prepare(int events, String payload) throws SQLException {
        for (int inserted = 0; inserted < events; inserted += Topic.KEYS) {
            stored.insert(publisher, 0, Math.min(Topic.KEYS, events - inserted), aggregate -> payload);
        }
        return publisher::commit;
    }

    @Override
    public void send(int aggregate, String payload) throws SQLException {
        stored.insert(publisher, aggregate, 1, any -> payload);
        publisher.commit();
    }

    @Override
    public boolean isIdle() {
        return idle.getAsBoolean();
    }

    @Override
    public void close() throws SQLException {
        end.run();
        publisher.close();
        stored.close();
    }
}

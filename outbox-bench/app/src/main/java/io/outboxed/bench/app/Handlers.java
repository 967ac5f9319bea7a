package io.outboxed.bench.app;

import io.outboxed.PermanentFailureException;
import jakarta.annotation.Resource;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import jakarta.transaction.Transactional.TxType;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;

/** The handlers do as little for each event as the workload allows. */
@ApplicationScoped
public class Handlers {
    private static final long ERRAND_NANOS = 2_000_000;
    private static final int FLAWED_ONE_IN = 100;

    @Inject
    Counts counts;

    @Inject
    Journey journey;

    @Resource(lookup = "java:app/jdbc/outbox")
    DataSource dataSource;

    @Transactional(TxType.NOT_SUPPORTED)
    void tick(@Observes Tick event) {
        counts.handled(event.aggregate());
    }

    @Transactional(TxType.NOT_SUPPORTED)
    void flawed(@Observes Flawed event) {
        failIfFlawed(event.aggregate());
        counts.handled(event.aggregate());
    }

    @Transactional(TxType.NOT_SUPPORTED)
    void spoiled(@Observes Spoiled event) {
        failIfPoison(event.text());
        counts.handled(event.aggregate());
    }

    @Transactional(TxType.NOT_SUPPORTED)
    void errand(@Observes Errand event) {
        long until = System.nanoTime() + ERRAND_NANOS;
        for (long left = ERRAND_NANOS; left > 0; left = until - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
        counts.handled(event.aggregate());
    }

    @Transactional(TxType.NOT_SUPPORTED)
    void paced(@Observes Paced event) {
        journey.arrived(event.index(), System.nanoTime());
        counts.handled(event.aggregate());
    }

    void entry(@Observes Entry event) throws SQLException {
        insert(event.aggregate());
    }

    void flawedEntry(@Observes FlawedEntry event) throws SQLException {
        failIfFlawed(event.aggregate());
        insert(event.aggregate());
    }

    void spoiledEntry(@Observes SpoiledEntry event) throws SQLException {
        failIfPoison(event.text());
        insert(event.aggregate());
    }

    private static void failIfFlawed(long aggregate) {
        if (aggregate % FLAWED_ONE_IN == 0) {
            throw new IllegalStateException("poison");
        }
    }

    private static void failIfPoison(String text) {
        if (text.equals("poison")) {
            throw new PermanentFailureException("poison");
        }
    }

    private void insert(long aggregate) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                PreparedStatement insert =
                        connection.prepareStatement("INSERT INTO bench_effect (aggregate_no, note) VALUES (?, ?)")) {
            insert.setLong(1, aggregate);
            insert.setString(2, "handled");
            insert.executeUpdate();
        }
        counts.handled(aggregate);
    }
}

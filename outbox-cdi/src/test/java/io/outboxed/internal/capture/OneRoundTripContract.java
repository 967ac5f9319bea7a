package io.outboxed.internal.capture;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.datasource.ConfiguredDataSource;
import io.outboxed.internal.hibernate.OutboxRow;
import io.outboxed.servers.database.RealDatabase;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Persistence;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a transaction pays for its rows, between the driver and the server. */
interface OneRoundTripContract extends RowFixture {
    RealDatabase server();

    @Test
    default void fifty_rows_of_a_transaction_are_one_round_trip() throws Exception {
        CaptureFixture door = new CaptureFixture();
        List<OutboxRow> rows =
                IntStream.range(0, 50).mapToObj(i -> door.stored(new Tick(i))).toList();
        try (RoundTrips trips = new RoundTrips(server().url())) {
            Map<String, String> settings = Map.of(
                    "trips.url", trips.url(), "trips.user", server().user(), "trips.password", server().password());
            settings.forEach(System::setProperty);
            try (EntityManagerFactory unit = Persistence.createEntityManagerFactory(
                            "outbox",
                            Map.of(
                                    "jakarta.persistence.transactionType",
                                    "RESOURCE_LOCAL",
                                    "jakarta.persistence.nonJtaDataSource",
                                    source()));
                    EntityManager manager = unit.createEntityManager()) {
                manager.getTransaction().begin();
                manager.createNativeQuery("SELECT 1").getSingleResult();
                int before = trips.count();
                store(manager).write(rows);
                int after = trips.count();
                manager.getTransaction().rollback();

                assertThat(after - before).isEqualTo(1);
            } finally {
                settings.keySet().forEach(System::clearProperty);
            }
        }
    }

    private static ConfiguredDataSource source() {
        ConfiguredDataSource source = new ConfiguredDataSource();
        source.setPrefix("trips");
        return source;
    }
}

package io.outboxed.it.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.outboxed.Outbox;
import io.outboxed.PublishOptions;
import io.outboxed.shop.ServerExtension;
import io.outboxed.shop.WarUnderTest;
import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.inject.Inject;
import jakarta.transaction.UserTransaction;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.assertj.core.api.Assertions;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.asset.EmptyAsset;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.jboss.shrinkwrap.api.importer.ZipImporter;
import org.jboss.shrinkwrap.api.spec.JavaArchive;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * How events are stored in business transactions of each kind, on a real server, with business data in Hibernate and in
 * the server's own provider. The relay is off and there are no handlers, so what was stored stays in its table.
 */
@ExtendWith({ServerExtension.class, ArquillianExtension.class})
class CaptureIT extends CommitTests {
    private static final int WRITERS = 4;
    private static final int BOOKINGS_EACH = 25;

    @Deployment
    static WebArchive war() throws URISyntaxException, IOException {
        JavaArchive bank = ShrinkWrap.create(JavaArchive.class, "bank.jar")
                .addPackage(CaptureIT.class.getPackage())
                .addClass(ServerExtension.class)
                .addAsManifestResource(new StringAsset(persistence()), "persistence.xml")
                .addAsResource(ThisServer.resource(), ThisServer.FILE)
                .addAsManifestResource(EmptyAsset.INSTANCE, "beans.xml")
                .addAsManifestResource(
                        new StringAsset("config_ordinal=200\noutbox.relay.enabled=false\n"),
                        "microprofile-config.properties");
        Writes.SCRIPTS.forEach(script -> bank.addAsResource("io/outboxed/it/capture/" + script));
        return ShrinkWrap.create(ZipImporter.class, "bank.war")
                .importFrom(new File(System.getProperty("it.war")))
                .as(WebArchive.class)
                .addAsLibraries(bank)
                .addAsLibrary(WarUnderTest.jarOf(Assertions.class));
    }

    private static String persistence() throws IOException {
        try (InputStream in = CaptureIT.class.getResourceAsStream("/bank-persistence.xml")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .replace("${server.provider}", ThisServer.provider());
        }
    }

    @Inject
    Outbox outbox;

    @Inject
    WaitingEvents waiting;

    @Inject
    RepeatingTeller repeating;

    @Resource(lookup = "java:comp/UserTransaction")
    UserTransaction transaction;

    @Resource(lookup = "java:comp/DefaultManagedExecutorService")
    ManagedExecutorService executor;

    @Test
    void a_commit_stores_the_event_with_the_business_data_in_every_kind_of_transaction() throws Exception {
        for (Map.Entry<String, Teller> teller : tellers().entrySet()) {
            for (Provider provider : Provider.values()) {
                String key = teller.getKey() + " " + provider;

                teller.getValue().book(provider, "a-1", key, Ending.COMMIT);

                assertThat(booked(key)).as(key).isTrue();
                assertThat(stored(key)).as(key).isEqualTo(1);
            }
        }
    }

    @Test
    void a_rollback_leaves_nothing_in_every_kind_of_transaction() throws Exception {
        for (Map.Entry<String, Teller> teller : tellers().entrySet()) {
            for (Provider provider : Provider.values()) {
                for (Ending ending : List.of(Ending.THROW, Ending.ROLLBACK_ONLY)) {
                    String key = teller.getKey() + " " + provider + " " + ending;

                    bookIgnoringTheRollback(teller.getValue(), provider, key, ending);

                    assertThat(booked(key)).as(key).isFalse();
                    assertThat(stored(key)).as(key).isZero();
                }
            }
        }
    }

    @Test
    void an_inner_transaction_keeps_its_event_however_the_suspended_outer_one_ends() throws SQLException {
        for (Provider provider : Provider.values()) {
            String failed = "failed " + provider;
            String done = "done " + provider;

            assertThatThrownBy(() -> transactional.outerAndInner(provider, "a-1", failed, Ending.THROW))
                    .hasMessageContaining("after the work");
            transactional.outerAndInner(provider, "a-1", done, Ending.COMMIT);

            assertThat(List.of(stored(failed + " outer"), stored(failed + " inner")))
                    .as(failed)
                    .containsExactly(0L, 1L);
            assertThat(List.of(stored(done + " outer"), stored(done + " inner")))
                    .as(done)
                    .containsExactly(1L, 1L);
        }
    }

    @Test
    void events_of_a_listener_during_the_flush_and_of_an_observer_before_the_commit_are_stored() throws SQLException {
        for (Provider provider : Provider.values()) {
            String key = "heard " + provider;

            transactional.withLateEvents(provider, "a-1", key);

            assertThat(stored(key)).as(key).isEqualTo(1);
            assertThat(stored(key + " listener")).as(key).isEqualTo(1);
            assertThat(stored(key + " observer")).as(key).isEqualTo(1);
        }
    }

    @Test
    void what_a_method_returns_or_receives_is_stored_on_beans_of_both_kinds() throws SQLException {
        transactional.returned("a-1", "returned");
        transactional.several("a-1", 120);
        containerManaged.given("a-1", List.of(new Booked("x", "given 1"), new Booked("y", "given 2")));

        assertThat(stored("returned")).isEqualTo(1);
        assertThat(rows("select payload from outbox_message where aggregate_id = 'a-1' order by seq"))
                .hasSize(123)
                .containsSequence(IntStream.range(0, 120)
                        .mapToObj(n -> "{\"account\":\"a-1\",\"key\":\"several " + n + "\"}")
                        .toList());
    }

    @Test
    void a_transaction_may_query_the_rows_of_others_in_jpql_and_store_its_own() {
        assertThat(waiting.seenBefore("w-1", "1")).isEmpty();
        assertThat(waiting.seenBefore("w-1", "2")).containsExactly("1");
        assertThat(waiting.seenBefore("w-1", "3")).containsExactly("1", "2");
    }

    @Test
    void a_method_that_marks_its_transaction_for_rollback_returns_its_result_and_stores_nothing() throws SQLException {
        assertThat(transactional.givenUp("a-1", "given up")).isPresent();

        assertThat(stored("given up")).isZero();
    }

    @Test
    void a_retry_in_a_transaction_that_is_lost_already_fails_with_the_first_failure_as_its_cause() throws SQLException {
        assertThatThrownBy(() -> transactional.bookRepeatedly("a-1", "refused"))
                .hasMessageStartingWith("OUTBOX-0102")
                .cause()
                .hasMessageStartingWith("OUTBOX-0105");
        assertThat(repeating.tries()).isEqualTo(3);

        update("create table it_lock as select * from outbox_lock");
        update("delete from outbox_lock");
        try {
            assertThatThrownBy(() -> transactional.bookSerializedRepeatedly("a-1", "locked"))
                    .hasMessageStartingWith("OUTBOX-0102")
                    .cause()
                    .hasMessageStartingWith("OUTBOX-0117");
        } finally {
            update("insert into outbox_lock select * from it_lock");
            update("drop table it_lock");
        }
        assertThat(repeating.tries()).isEqualTo(3);

        assertThat(booked("locked")).isFalse();
        assertThat(count("outbox_message")).isZero();
    }

    @Test
    void a_method_that_publishes_null_fails_and_is_named() throws SQLException {
        assertThatThrownBy(() -> transactional.nothing())
                .hasMessageStartingWith("OUTBOX-0103")
                .hasMessageContaining("TransactionalTeller.nothing()")
                .hasMessageContaining("Optional.empty()");
        assertThat(count("outbox_message")).isZero();
    }

    @Test
    void a_large_text_of_every_plane_and_bytes_come_back_as_they_were_stored() throws Exception {
        StringBuilder every = new StringBuilder("\"");
        while (every.length() < 250_000) {
            for (int plane = 0; plane <= 16; plane++) {
                every.appendCodePoint(plane * 0x10000 + 0x42).appendCodePoint(plane * 0x10000 + 0xFFFD);
            }
        }
        every.append('"');
        transaction.begin();
        outbox.publish(every.toString(), PublishOptions.none().type("it.text"));
        outbox.publish(new byte[] {0, -1, 127}, PublishOptions.none().type("it.bytes"));
        transaction.commit();

        assertThat(rows("select payload from outbox_message where type = 'it.text'"))
                .containsExactly(every.toString());
        try (Connection connection = tables.connect();
                Statement statement = connection.createStatement();
                ResultSet row =
                        statement.executeQuery("select payload_binary from outbox_message where type = 'it.bytes'")) {
            assertThat(row.next()).isTrue();
            assertThat(row.getBytes(1)).containsExactly(0, -1, 127);
        }
    }

    @Test
    void concurrent_writers_under_a_lock_number_their_events_in_the_order_of_the_lock() throws Exception {
        for (Provider provider : Provider.values()) {
            race((account, key) -> transactional.book(provider, account, key, Ending.COMMIT), "locked " + provider);
        }
    }

    @Test
    void concurrent_writers_of_a_versioned_aggregate_number_their_events_in_the_order_of_the_versions()
            throws Exception {
        for (Provider provider : Provider.values()) {
            race((account, key) -> transactional.bookVersioned(provider, account, key), "versioned " + provider);
        }
    }

    @Test
    void concurrent_serialized_writers_number_their_events_in_the_order_of_the_lock() throws Exception {
        for (Provider provider : Provider.values()) {
            race((account, key) -> transactional.bookSerialized(provider, account, key), "serialized " + provider);
            race(
                    (account, key) -> containerManaged.bookSerialized(provider, account, key),
                    "serialized session " + provider);
        }
    }

    /** Some kinds of transactions report their rollback, others do not. */
    private static void bookIgnoringTheRollback(Teller teller, Provider provider, String key, Ending ending) {
        try {
            teller.book(provider, "a-1", key, ending);
        } catch (Exception reported) {
            assertThat(reported).as(key).hasMessageNotContaining("OUTBOX-");
        }
    }

    private interface Attempt {
        void book(String account, String key) throws Exception;
    }

    /**
     * Each writer publishes first and changes the account afterwards; a writer that loses tries again under a new key.
     */
    private void race(Attempt attempt, String name) throws Exception {
        transactional.open(Provider.HIBERNATE, name);
        List<Future<?>> writers = new ArrayList<>();
        for (int writer = 0; writer < WRITERS; writer++) {
            String prefix = name + " " + writer + " ";
            writers.add(executor.submit(() -> {
                int booked = 0;
                for (int n = 0; booked < BOOKINGS_EACH; n++) {
                    String key = prefix + n;
                    if (catchThrowable(() -> attempt.book(name, key)) == null) {
                        booked++;
                    } else if (n > 100 * BOOKINGS_EACH) {
                        throw new IllegalStateException(name + ": no booking succeeds any more");
                    }
                }
            }));
        }
        for (Future<?> writer : writers) {
            writer.get();
        }

        List<String> byLock = rows("select id from it_booking where account = '" + name + "' order by number");
        List<String> bySeq =
                rows("select payload from outbox_message where aggregate_id = '" + name + "' order by seq").stream()
                        .map(payload -> payload.replaceAll(".*\"key\":\"(.*)\".*", "$1"))
                        .toList();
        assertThat(byLock).hasSize(WRITERS * BOOKINGS_EACH);
        assertThat(bySeq).containsExactlyElementsOf(byLock);
    }
}

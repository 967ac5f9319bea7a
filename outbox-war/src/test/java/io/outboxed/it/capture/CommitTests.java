package io.outboxed.it.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.outboxed.it.capture.Writes.Write;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a commit writes last, and what remains and what the caller sees when it fails. */
abstract class CommitTests extends BankTests {
    private static final List<Ending> FAILED_COMMITS = List.of(
            Ending.REFUSED_FLUSH,
            Ending.REFUSED_OUTBOX_ROW,
            Ending.FAILED_BEFORE_COMPLETION,
            Ending.MARKED_BEFORE_COMPLETION);

    @Test
    void the_row_of_the_outbox_is_the_last_write_of_the_transaction_and_on_its_connection() throws Exception {
        try (Writes writes = Writes.watched(tables)) {
            for (Map.Entry<String, Teller> teller : tellers().entrySet()) {
                for (Provider provider : Provider.values()) {
                    String key = teller.getKey() + " " + provider;
                    writes.forget();

                    teller.getValue().book(provider, "a-1", key, Ending.COMMIT);

                    List<Write> written = writes.committed();
                    assertThat(written)
                            .as(key)
                            .extracting(Write::kind)
                            .containsExactly("business", "business", "outbox");
                    assertThat(written.stream().map(Write::session).distinct())
                            .as(key)
                            .hasSize(1);
                }
            }
        }
    }

    @Test
    void a_commit_that_fails_leaves_nothing_and_its_caller_sees_the_servers_own_exception() throws Exception {
        try (Writes writes = Writes.watched(tables)) {
            for (Map.Entry<String, Teller> teller : tellers().entrySet()) {
                for (Provider provider : Provider.values()) {
                    for (Ending ending : FAILED_COMMITS) {
                        String key = teller.getKey() + " " + provider + " " + ending;

                        Throwable seen = catchThrowable(() -> teller.getValue().book(provider, "a-1", key, ending));

                        assertThat(booked(key)).as(key).isFalse();
                        assertThat(stored(key)).as(key).isZero();
                        assertThat(writes.committed()).as(key).isEmpty();
                        assertThat(classes(seen))
                                .as(key)
                                .startsWith(ThisServer.exceptionsOfAFailedCommit(teller.getKey())
                                        .toArray(String[]::new));
                    }
                }
            }
        }
    }

    @Test
    void the_cause_of_a_failed_commit_is_reported() {
        for (Map.Entry<String, Teller> teller : tellers().entrySet()) {
            Throwable seen = catchThrowable(
                    () -> teller.getValue().book(Provider.HIBERNATE, "a-1", "x", Ending.FAILED_BEFORE_COMPLETION));

            assertThat(chain(seen).map(Throwable::getMessage))
                    .as(teller.getKey())
                    .contains("before the completion");
        }
    }

    @Test
    void an_inner_transaction_that_fails_to_commit_loses_its_event_and_does_not_affect_the_outer_one()
            throws SQLException {
        for (Provider provider : Provider.values()) {
            String key = "kept " + provider;

            assertThat(transactional.outerAroundAFailedInner(provider, "a-1", key))
                    .isTrue();

            assertThat(booked(key + " inner")).as(key).isFalse();
            assertThat(stored(key + " inner")).as(key).isZero();
            assertThat(booked(key + " outer")).as(key).isTrue();
            assertThat(stored(key + " outer")).as(key).isEqualTo(1);
        }
    }

    private static List<String> classes(Throwable seen) {
        return chain(seen).map(each -> each.getClass().getName()).toList();
    }

    private static Stream<Throwable> chain(Throwable seen) {
        return Stream.iterate(seen, each -> each != null, Throwable::getCause);
    }
}

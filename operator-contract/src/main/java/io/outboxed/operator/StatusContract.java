package io.outboxed.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.outboxed.admin.RegisteredHandler;
import io.outboxed.operator.Operator.Event;
import io.outboxed.operator.Operator.Status;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The counts, the handlers, and all about one event. */
interface StatusContract extends OperatorFixture {

    @Test
    default void the_status_counts_what_the_tables_have() throws SQLException {
        tables().ready("order.placed", "1");
        tables().ready("order.placed", "2");
        tables().parked("order.placed", "3");
        tables().waiting("order.placed", "4", "mail");
        tables().dead("order.placed", "5", "mail", "down");
        tables().dead("order.placed", "6", "mail", "down");
        tables().blocked("order.placed", "7", "mail", "down");

        Status status = operator().status();
        assertThat(status.counts())
                .isEqualTo(Map.of("ready", 2L, "parked", 1L, "waiting", 1L, "blocked", 1L, "dead", 3L));
        assertThat(status.counts().get("dead")).isEqualTo(tables().count("dead"));
        assertThat(status.counts().get("waiting") + status.counts().get("blocked"))
                .isEqualTo(tables().count("delivery"));
        assertThat(status.blockedAggregates()).isOne();
        assertThat(status.atLeast()).isEmpty();
        assertThat(status.pauses()).isEmpty();
    }

    @Test
    default void a_count_that_stopped_is_named() throws SQLException {
        tables().waiting("order.placed", "1", "mail");
        tables().manyDead("mail");
        try {
            Status status = operator().status();
            assertThat(status.counts().get("waiting")).isOne();
            assertThat(status.counts().get("dead")).isEqualTo(100_000).isLessThan(tables().count("dead"));
            assertThat(status.atLeast()).containsExactly("dead");
        } finally {
            tables().run("TRUNCATE TABLE outbox_dead");
        }
    }

    @Test
    default void handlers_are_listed_as_they_are_registered_the_retired_ones_too() throws SQLException {
        tables().handler("order.shipped", "mail", false);
        tables().handler("order.placed", "ship", true);
        tables().handler("order.placed", "mail", false);
        tables().handler("*", "audit", false);
        tables().run("UPDATE outbox_handler SET registry_version = 5000000000 WHERE handler = 'ship'");

        assertThat(operator().handlers())
                .containsExactly(
                        handler("*", "audit", false, 1),
                        handler("order.placed", "mail", false, 1),
                        handler("order.placed", "ship", true, 5_000_000_000L),
                        handler("order.shipped", "mail", false, 1));
    }

    private static RegisteredHandler handler(String type, String name, boolean retired, long version) {
        return new RegisteredHandler(type, name, "group of " + name, retired, version, 0, List.of());
    }

    @Test
    default void handlers_are_listed_with_what_waits_for_them_of_whatever_type() throws SQLException {
        tables().handler("order.placed", "mail", false);
        tables().handler("order.shipped", "mail", false);
        tables().handler("order.placed", "ship", true);
        tables().handler("order.placed", "idle", false);
        tables().waiting("order.placed", "1", "mail");
        tables().waitingLong("order.cancelled", "2", "mail");
        tables().waiting("order.placed", "3", "ship");
        tables().blocked("order.placed", "4", "idle", "down");
        tables().ready("order.placed", "5");

        assertThat(operator().handlers())
                .extracting(RegisteredHandler::type, RegisteredHandler::handler, RegisteredHandler::waiting)
                .containsExactly(
                        tuple("order.placed", "idle", 0L),
                        tuple("order.placed", "mail", 2L),
                        tuple("order.placed", "ship", 1L),
                        tuple("order.shipped", "mail", 2L));
        assertThat(operator().handlers())
                .allSatisfy(each -> assertThat(each.atLeast()).isEmpty());
    }

    @Test
    default void what_waits_for_handlers_is_counted_up_to_a_limit() throws SQLException {
        tables().handler("order.placed", "idle", false);
        tables().handler("order.placed", "mail", false);
        tables().waiting("order.placed", "1", "mail");
        tables().manyWaiting("mail");
        try {
            assertThat(tables().count("delivery")).isGreaterThan(100_000);
            assertThat(operator().handlers())
                    .extracting(RegisteredHandler::handler, RegisteredHandler::waiting, RegisteredHandler::atLeast)
                    .containsExactly(
                            tuple("idle", 0L, List.of("waiting")), tuple("mail", 100_000L, List.of("waiting")));
        } finally {
            tables().run("TRUNCATE TABLE outbox_delivery");
        }
    }

    @Test
    default void an_event_is_shown_with_all_that_is_stored_about_it() throws SQLException {
        UUID id = tables().blocked("order.placed", "1", "mail", "down");
        tables().alsoWaiting(id, "1", "ship");
        UUID dead = tables().dead("order.placed", "2", "mail", "down");
        tables().alsoDead(dead, "ship");

        assertThat(operator().event(id.toString()))
                .contains(new Event(List.of("split"), Map.of("mail", "blocked", "ship", "waiting"), List.of("mail")));
        assertThat(operator().event(dead.toString()).orElseThrow()).satisfies(event -> {
            assertThat(event.messages()).isEmpty();
            assertThat(event.deliveries()).isEmpty();
            assertThat(event.dead()).containsExactlyInAnyOrder("mail", "ship");
        });
        assertThat(operator().event(UNKNOWN)).isEmpty();
    }
}

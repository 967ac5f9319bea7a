package io.outboxed.operator;

import static org.assertj.core.api.Assertions.assertThat;

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
                        new RegisteredHandler("*", "audit", "group of audit", false, 1),
                        new RegisteredHandler("order.placed", "mail", "group of mail", false, 1),
                        new RegisteredHandler("order.placed", "ship", "group of ship", true, 5_000_000_000L),
                        new RegisteredHandler("order.shipped", "mail", "group of mail", false, 1));
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

package io.outboxed.internal.config;

import static io.outboxed.internal.config.GivenSettings.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.OutboxException;
import io.outboxed.internal.database.SqlText;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which settings are refused, and what the error says. */
class WrongSettingsTest {

    @Test
    void all_problems_are_reported_at_once_with_value_source_and_what_is_allowed() {
        assertThatThrownBy(() -> read(Map.of(
                        "outbox.relay.ack-batch-size", "0",
                        "outbox.relay.workers", "many",
                        "outbox.schema", "drop",
                        "outbox.relay.enabled", "yes",
                        "outbox.lease", "500ms",
                        "outbox.handler.timeout", "10 minutes",
                        "outbox.datasource.independent-units", "reports,,archive",
                        "outbox.table-prefix", "My-Tables",
                        "outbox.retry.multiplier", "NaN",
                        "outbox.retry.mailer.max-attempts", "0")))
                .isInstanceOf(OutboxException.class)
                .hasMessageStartingWith("OUTBOX-0200 10 settings are wrong; nothing was deployed:")
                .hasMessageContaining(
                        "outbox.relay.ack-batch-size: expected 1..10000, got 0 (from PropertiesConfigSource[source=a file])")
                .hasMessageContaining("outbox.relay.workers: expected 1..48, got many")
                .hasMessageContaining("outbox.schema: expected create|verify|off, got drop")
                .hasMessageContaining("outbox.relay.enabled: expected true|false, got yes")
                .hasMessageContaining("outbox.lease: expected 1s..10m, got 500ms")
                .hasMessageContaining("outbox.handler.timeout: expected 0 or 100ms..1d, got 10 minutes")
                .hasMessageContaining("outbox.table-prefix: expected " + SqlText.PREFIX_IN_WORDS + ", got My-Tables")
                .hasMessageContaining(
                        "outbox.datasource.independent-units: expected names of persistence units, such as"
                                + " reports,archive, got reports,,archive")
                .hasMessageContaining("outbox.retry.multiplier: expected 1..100, got NaN")
                .hasMessageContaining("outbox.retry.mailer.max-attempts: expected 1..1000, got 0");
    }

    @Test
    void a_decimal_is_digits_with_an_optional_fraction() {
        for (String decimal : List.of("2", "2.0", "02.50")) {
            assertThat(read(Map.of("outbox.retry.multiplier", decimal))
                            .retries()
                            .general()
                            .multiplier())
                    .isBetween(2.0, 2.5);
        }
        for (String other : List.of("2d", "2f", "0x1p2", "2.", ".5e1", "+2", "Infinity")) {
            assertThatThrownBy(() -> read(Map.of("outbox.retry.multiplier", other)))
                    .hasMessageContaining("outbox.retry.multiplier: expected 1..100, got " + other);
        }
    }

    @Test
    void shards_can_not_be_assigned_to_nodes_that_claim_aggregates() {
        for (String claim : List.of("advisory-lock", "row-lock")) {
            assertThatThrownBy(() -> read(Map.of("outbox.relay.claim", claim, "outbox.relay.shards", "0-31")))
                    .hasMessageContaining("outbox.relay.shards: expected nothing with outbox.relay.claim=" + claim);
        }
        assertThatThrownBy(() -> read(Map.of("outbox.relay.claim", "lock")))
                .hasMessageContaining("outbox.relay.claim: expected shards|advisory-lock|row-lock, got lock");
    }

    @Test
    void a_timeout_of_zero_means_none() {
        for (String zero : List.of("0", "0s", "PT0S")) {
            assertThat(read(Map.of("outbox.handler.timeout", zero)).handler().timeout())
                    .isZero();
        }
        assertThatThrownBy(() -> read(Map.of("outbox.handler.timeout", "99ms")))
                .hasMessageContaining("outbox.handler.timeout: expected 0 or 100ms..1d, got 99ms");
    }

    @Test
    void settings_that_contradict_each_other_are_refused() {
        assertThatThrownBy(() -> read(Map.of(
                        "outbox.relay.poll-min", "2s",
                        "outbox.relay.max-in-memory", "4",
                        "outbox.retry.initial-delay", "1h",
                        "outbox.retry.\"order.placed\".initial-delay", "5m",
                        "outbox.retry.\"order.placed\".max-delay", "1m")))
                .hasMessageStartingWith("OUTBOX-0200 4 settings are wrong")
                .hasMessageContaining("outbox.relay.poll-min: expected at most outbox.relay.poll-max (1s), got 2s")
                .hasMessageContaining("outbox.relay.workers: expected at most outbox.relay.max-in-memory (4), got 8")
                .hasMessageContaining(
                        "outbox.retry.initial-delay: expected at most outbox.retry.max-delay (10m), got 1h")
                .hasMessageContaining("outbox.retry.\"order.placed\".initial-delay: expected at most"
                        + " outbox.retry.\"order.placed\".max-delay (1m), got 5m");
    }

    @Test
    void a_setting_that_can_not_be_read_contradicts_no_other_and_an_inherited_contradiction_is_told_once() {
        assertThatThrownBy(() -> read(Map.of(
                        "outbox.retry.max-delay", "10x",
                        "outbox.retry.initial-delay", "1h",
                        "outbox.retry.\"order.placed\".max-attempts", "20")))
                .hasMessageStartingWith("OUTBOX-0200 1 setting is wrong")
                .hasMessageContaining("outbox.retry.max-delay: expected");
        assertThatThrownBy(() -> read(Map.of(
                        "outbox.retry.initial-delay", "abc", "outbox.retry.\"order.placed\".max-delay", "500ms")))
                .hasMessageStartingWith("OUTBOX-0200 1 setting is wrong")
                .hasMessageContaining("outbox.retry.initial-delay: expected");
        assertThatThrownBy(() -> read(Map.of("outbox.relay.poll-max", "${unset.key}", "outbox.relay.poll-min", "2s")))
                .hasMessageStartingWith("OUTBOX-0200 1 setting is wrong")
                .hasMessageContaining("outbox.relay.poll-max: can't be read");
        assertThatThrownBy(() -> read(
                        Map.of("outbox.retry.initial-delay", "1h", "outbox.retry.\"order.placed\".max-attempts", "20")))
                .hasMessageStartingWith("OUTBOX-0200 1 setting is wrong")
                .hasMessageContaining("outbox.retry.initial-delay: expected at most outbox.retry.max-delay");
    }

    /** No partition would be there for the rows of the time between. */
    @Test
    void partitions_are_looked_after_at_least_once_in_a_look_ahead() {
        Map<String, String> settings = Map.of(
                "outbox.history.partition", "hour",
                "outbox.history.partition.look-ahead", "1h",
                "outbox.history.partition.interval", "1d");
        assertThatThrownBy(() -> read(settings))
                .hasMessageContaining("outbox.history.partition.interval: expected at most"
                        + " outbox.history.partition.look-ahead (1h), got 1d");
    }

    @Test
    void the_look_ahead_is_at_most_a_thousand_partitions() {
        String key = "outbox.history.partition.look-ahead";
        assertThatThrownBy(() -> read(Map.of("outbox.history.partition", "hour", key, "42d")))
                .isInstanceOf(OutboxException.class)
                .hasMessageContaining(
                        key + ": expected at most 1000 periods of outbox.history.partition (1000h), got 42d");

        assertThat(read(Map.of("outbox.history.partition", "hour", key, "1000h"))
                        .retention()
                        .partitions()
                        .lookAhead())
                .isEqualTo(Duration.ofHours(1000));
        assertThat(read(Map.of("outbox.history.partition", "day", key, "365d"))
                        .retention()
                        .partitions()
                        .lookAhead())
                .isEqualTo(Duration.ofDays(365));
    }

    @Test
    void a_value_that_refers_to_nothing_is_a_problem_like_others() {
        assertThatThrownBy(() -> read(Map.of("outbox.relay.workers", "${no.such.key}")))
                .hasMessageStartingWith("OUTBOX-0200 1 setting is wrong")
                .hasMessageContaining("outbox.relay.workers: can't be read");
    }

    /** Otherwise they would count as not set, and the relay would wait for a database that is not configured. */
    @Test
    void a_database_that_refers_to_nothing_is_a_problem_too() {
        assertThatThrownBy(() ->
                        read(Map.of("outbox.datasource.url", "jdbc:postgresql://${no.such.host}/shop?password=s3cret")))
                .hasMessageStartingWith("OUTBOX-0200 1 setting is wrong")
                .hasMessageContaining(
                        "outbox.datasource.url: can't be read: it refers to an unset key: ${no.such.host}")
                .hasMessageNotContaining("s3cret");
        assertThatThrownBy(() -> read(Map.of(
                        "outbox.datasource.url",
                        "jdbc:h2:mem:shop",
                        "outbox.datasource.user",
                        "${no.such.user}",
                        "outbox.datasource.password",
                        "s3cret${no.such.password}")))
                .hasMessageStartingWith("OUTBOX-0200 2 settings are wrong")
                .hasMessageContainingAll(
                        "outbox.datasource.user: can't be read", "outbox.datasource.password: can't be read")
                .hasMessageNotContaining("s3cret");
    }

    /** It would wait for a connection of the pool that waits for it. */
    @Test
    void the_data_source_can_not_borrow_its_connections_from_itself() {
        assertThatThrownBy(() -> read(Map.of("outbox.datasource.lookup", "java:app/jdbc/outbox ")))
                .hasMessageStartingWith("OUTBOX-0200 1 setting is wrong")
                .hasMessageContaining(
                        "outbox.datasource.lookup: expected a JNDI name other than java:app/jdbc/outbox, got")
                .hasMessageContaining("got java:app/jdbc/outbox  (from");
        for (String other : List.of("java:app/jdbc/outbox2", "java:app/jdbc/main", "jdbc/outbox")) {
            assertThatCode(() -> read(Map.of("outbox.datasource.lookup", other)))
                    .as(other)
                    .doesNotThrowAnyException();
        }
    }

    @Test
    void an_account_that_is_not_used_may_refer_to_nothing() {
        String user = "outbox.datasource.user";
        assertThatCode(() -> read(Map.of(user, "${no.such.user}"))).doesNotThrowAnyException();
        assertThatCode(() -> read(Map.of(
                        user,
                        "${no.such.user}",
                        "outbox.datasource.url",
                        "${no.such.url}",
                        "outbox.datasource.lookup",
                        "jdbc/shop")))
                .doesNotThrowAnyException();
    }
}

package io.outboxed.internal.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.DeadLetter;
import io.outboxed.admin.DeadLetterFilter;
import io.outboxed.internal.database.Conditions;
import io.outboxed.internal.database.Connections;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.database.RelayConnection;
import io.outboxed.internal.store.DeadLetterPosition;
import io.outboxed.internal.store.JdbcContract;
import io.outboxed.internal.store.sql.DeadLetterConditions;
import io.outboxed.internal.store.sql.DeadLetterSql;
import io.outboxed.internal.store.sql.Sql;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * A page of dead letters costs a page of rows, however many others there are. Counted in what the database reads, not
 * in time. Names with Past have nearly half of all dead letters, and none of the newer half; nor does any of that half
 * block.
 */
public interface DeadLetterPagesContract extends JdbcContract {
    int LETTERS = 20_000;
    int PAGE = 10;
    /** MySQL reads several pages for each row, and some to estimate the rows of an index. */
    int MOST_READ = 200;

    Pattern READ_BY_POSTGRESQL = Pattern.compile("Rows Removed by [\\w ]+: (\\d+)");
    Pattern BUFFERS = Pattern.compile("Buffers: shared(?: hit=(\\d+))?(?: read=(\\d+))?");
    Pattern READ_BY_H2 = Pattern.compile("scanCount: (\\d+)");

    @Test
    default void a_page_of_dead_letters_reads_few_others() throws Exception {
        fill();
        List<Page> pages = pagesOf(wanted());
        List<Page> others = pagesOf(alikeButForASpace());
        try (DeadLetterStore letters = jdbc().deadLetterStore()) {
            List<DeadLetter> all = letters.find(DeadLetterFilter.all(), null, LETTERS);
            assertThat(all).hasSize(LETTERS);
            for (Page page : pages) {
                assertThat(letters.find(page.filter(), page.after(), PAGE))
                        .as(page.toString())
                        .isEqualTo(page.newestOf(all));
            }
            for (Page page : others) {
                assertThat(letters.find(page.filter(), page.after(), PAGE))
                        .as(page.toString())
                        .isEmpty();
            }
        }
        RelayConnection relay = RelayConnection.open(jdbc().source(), jdbc().dialect());
        try {
            assertThat(costly(new Jdbc(relay.connection(), jdbc().dialect()), pages))
                    .isEmpty();
        } finally {
            relay.close();
        }
    }

    /** Otherwise a change of all with some rare error would read the whole table again with each batch. */
    @Test
    default void a_part_of_a_bulk_change_looks_among_a_limited_number_of_rows() throws Exception {
        fill();
        jdbc().run("UPDATE outbox_dead SET error = 'rare' WHERE died_at IN (1000, 12000000, 12001000)");
        List<DeadLetterPosition> ends = new ArrayList<>();
        int discarded = 0;
        try (DeadLetterStore letters = jdbc().deadLetterStore();
                Connections own = new Connections(jdbc().source(), jdbc().dialect(), 1)) {
            DeadLetterFilter rare = DeadLetterFilter.all().error("rare");
            DeadLetterBatches.Batch batch = DeadLetterBatches.Batch.NONE_YET;
            do {
                batch = letters.batches(own)
                        .discard(rare, batch.last(), PAGE, (jdbc, messageId, handler) -> {}, letter -> {});
                ends.add(batch.last());
                discarded += batch.changed();
            } while (batch.last() != null);
            assertThat(letters.count(rare)).isZero();
        }
        assertThat(discarded).isEqualTo(3);
        assertThat(ends)
                .extracting(end -> end == null ? null : end.diedAtMicros() / 1000)
                .as("the ends of steps, the last of the rest, and none; one row is gone when the second one begins")
                .containsExactly(5_000L, 10_000L, 15_000L, 20_000L, null);
    }

    private static List<Page> pagesOf(Map<DeadLetterFilter, Predicate<DeadLetter>> wantedBy) {
        List<Page> pages = new ArrayList<>();
        wantedBy.forEach((filter, wanted) -> {
            for (DeadLetterFilter bounded :
                    List.of(filter, filter.diedSince(at(5_000)).diedUntil(at(15_000)))) {
                pages.add(new Page(bounded, wanted, null));
                pages.add(new Page(bounded, wanted, new DeadLetterPosition(micros(at(8_000)), new UUID(0, 0), "")));
            }
        });
        return pages;
    }

    /** MySQL and MariaDB compare without spaces at the end. */
    private static Map<DeadLetterFilter, Predicate<DeadLetter>> alikeButForASpace() {
        DeadLetterFilter all = DeadLetterFilter.all();
        return Map.of(
                all.handler("Mailer70 "), none -> false,
                all.type("order.70 "), none -> false,
                all.aggregate("order ", null), none -> false,
                all.aggregate("order", "o-70 "), none -> false);
    }

    private static Map<DeadLetterFilter, Predicate<DeadLetter>> wanted() {
        Map<DeadLetterFilter, Predicate<DeadLetter>> wanted = new LinkedHashMap<>();
        wanted.put(DeadLetterFilter.all(), any -> true);
        for (String handler : List.of("Mailer70", "MailerPast", "Nobody")) {
            wanted.put(
                    DeadLetterFilter.all().handler(handler),
                    letter -> letter.handler().equals(handler));
        }
        for (String type : List.of("order.70", "order.Past", "order.none")) {
            wanted.put(
                    DeadLetterFilter.all().type(type), letter -> letter.type().equals(type));
        }
        for (String id : List.of("o-70", "o-Past", "none")) {
            Predicate<DeadLetter> same = letter -> letter.aggregateId().equals(id);
            wanted.put(DeadLetterFilter.all().aggregate("order", id), same);
            wanted.put(DeadLetterFilter.all().aggregate(null, id), same);
        }
        wanted.put(DeadLetterFilter.all().onlyBlocking(), DeadLetter::blocking);
        return wanted;
    }

    /** @param after where the page begins, null for the first one */
    record Page(DeadLetterFilter filter, Predicate<DeadLetter> wanted, DeadLetterPosition after) {

        List<DeadLetter> newestOf(List<DeadLetter> all) {
            Instant until = filter.diedUntil() == null ? Instant.MAX : filter.diedUntil();
            Instant since = filter.diedSince() == null ? Instant.MIN : filter.diedSince();
            return all.stream()
                    .filter(wanted)
                    .filter(letter -> letter.diedAt().isBefore(until))
                    .filter(letter -> !letter.diedAt().isBefore(since))
                    .filter(letter -> after == null || micros(letter.diedAt()) < after.diedAtMicros())
                    .limit(PAGE)
                    .toList();
        }

        Conditions conditions(Dialect dialect, String beyond) {
            return DeadLetterConditions.beyond(DeadLetterConditions.of(filter, dialect), beyond, after);
        }

        @Override
        public String toString() {
            return filter + " after " + after;
        }
    }

    private Map<String, Long> costly(Jdbc relay, List<Page> pages) throws SQLException {
        Sql sql = new Sql(jdbc().dialect(), jdbc().prefix());
        Map<String, Long> costly = new LinkedHashMap<>();
        for (Page page : pages) {
            Conditions newest = page.conditions(sql.dialect(), DeadLetterSql.DIED_BEFORE);
            Conditions oldest = page.conditions(sql.dialect(), DeadLetterSql.DIED_AFTER);
            costly.put(
                    "newest of " + page, read(relay, sql.deadLetters.newestDead(newest.texts()), newest.values(PAGE)));
            DeadLetterPosition far = new DeadLetterPosition(micros(at(LETTERS)), new UUID(-1, -1), "");
            Conditions within = DeadLetterConditions.within(oldest, far);
            costly.put(
                    "oldest of " + page + " within a step",
                    read(relay, sql.deadLetters.oldestDead(within.texts()), within.values(PAGE)));
            costly.put(
                    "oldest of " + page, read(relay, sql.deadLetters.oldestDead(oldest.texts()), oldest.values(PAGE)));
        }
        costly.values().removeIf(read -> read <= MOST_READ);
        return costly;
    }

    /** The least of three: the server also reads for itself. */
    private long read(Jdbc relay, String query, Object... values) throws SQLException {
        List<Long> counts = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            counts.add(
                    switch (jdbc().dialect()) {
                        case H2 -> sum(READ_BY_H2, plan(relay, "EXPLAIN ANALYZE " + query, values));
                        case POSTGRESQL -> {
                            String plan = plan(relay, "EXPLAIN (ANALYZE, BUFFERS) " + query, values);
                            Matcher buffers = BUFFERS.matcher(plan);
                            assertThat(buffers.find()).isTrue();
                            yield sum(READ_BY_POSTGRESQL, plan) + number(buffers.group(1)) + number(buffers.group(2));
                        }
                        case MYSQL, MARIADB -> {
                            long first = serverReads();
                            long before = serverReads();
                            relay.list(query, row -> row.getLong("seq"), values);
                            yield serverReads() - before - (before - first);
                        }
                    });
        }
        return Collections.min(counts);
    }

    private static String plan(Jdbc relay, String query, Object... values) throws SQLException {
        return String.join("\n", relay.list(query, row -> row.getString(1), values));
    }

    private static long sum(Pattern numbers, String plan) {
        return numbers.matcher(plan)
                .results()
                .mapToLong(result -> number(result.group(1)))
                .sum();
    }

    private static long number(String digits) {
        return digits == null ? 0 : Long.parseLong(digits);
    }

    /** MySQL counts no row that an index condition rejects; MariaDB counts a page once for several rows. */
    private long serverReads() throws SQLException {
        String counters = jdbc().dialect() == Dialect.MYSQL
                ? "Variable_name = 'Innodb_buffer_pool_read_requests'"
                : "Variable_name LIKE 'Handler\\_read\\_%' OR Variable_name = 'Handler_icp_attempts'";
        return new Jdbc(jdbc().admin, jdbc().dialect())
                .list("SHOW GLOBAL STATUS WHERE " + counters, row -> row.getLong("Value")).stream()
                        .mapToLong(Long::longValue)
                        .sum();
    }

    private static Instant at(long number) {
        return Instant.EPOCH.plus(number * 1_000, ChronoUnit.MICROS);
    }

    private static long micros(Instant time) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, time);
    }

    private void fill() throws SQLException {
        jdbc().run("INSERT INTO outbox_dead (message_id, handler, handler_group, seq, shard, lane, aggregate_type,"
                + " aggregate_id, type, payload, payload_size, registry_version, attempts, error, died_at, blocking)"
                + " SELECT " + randomId() + ", " + name("Mailer", 100) + ", 'mail', n, 7, 7, 'order', "
                + name("o-", 500) + ", " + name("order.", 101) + ", '" + "x".repeat(400)
                + "', 400, 0, 5, 'down', n * 1000, CASE WHEN n <= " + LETTERS / 2
                + " AND MOD(n, 10) = 5 THEN 1 ELSE 0 END FROM (SELECT a.slot * 20 + b.shard + 1 AS n FROM outbox_lock a"
                + " JOIN outbox_shard b ON b.shard < 20 AND a.slot < " + LETTERS / 20 + " ORDER BY 1) numbers");
        jdbc().execute(
                        switch (jdbc().dialect()) {
                            case MYSQL, MARIADB -> "ANALYZE TABLE outbox_dead";
                            case POSTGRESQL -> "VACUUM (ANALYZE) outbox_dead";
                            case H2 -> "ANALYZE";
                        });
    }

    private static String name(String begin, int count) {
        return "CASE WHEN n <= " + LETTERS / 2 + " AND MOD(n, 10) > 0 THEN '" + begin + "Past' ELSE CONCAT('" + begin
                + "', MOD(n, " + count + ")) END";
    }

    private String randomId() {
        return switch (jdbc().dialect()) {
            case MYSQL, MARIADB -> "UNHEX(SUBSTR(SHA2(n, 256), 1, 32))";
            case POSTGRESQL -> "gen_random_uuid()";
            case H2 -> "RANDOM_UUID()";
        };
    }
}

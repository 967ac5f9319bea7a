package io.outboxed.internal.partitions;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.metrics.CapturedLog;
import io.outboxed.internal.schema.Schema;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.assertj.core.api.Assumptions;
import org.junit.jupiter.api.Test;

/** What happens to rows that were stored before they had a partition. */
interface HistoryTailContract extends PartitionsFixture {
    /** Also the conversion of a history that was never partitioned by time. */
    @Test
    default void rows_of_the_tail_move_to_the_partitions_of_their_time() throws Exception {
        rows().history(rows().ago(DAY.multipliedBy(400)), 5);
        rows().history(rows().ago(Duration.ZERO), 5);
        PartitionDryRun dryRun = maintainer(days(2, FOR_EVER)).dryRun(admin());

        assertThat(dryRun.tailRows()).isEqualTo(10);
        assertThat(dryRun.tailTooLong()).isFalse();
        assertThat(layout().partitions()).as("a dry run changes nothing").isEmpty();
        PartitionRun run = run(days(2, FOR_EVER));
        assertThat(run).isEqualTo(new PartitionRun.Done(dryRun.statements()));
        assertThat(count()).isEqualTo(10);
        assertThat(countTail()).isZero();
        new Schema(this::connect, dialect(), PREFIX).verify();
    }

    @Test
    default void a_history_that_was_partitioned_by_the_statements_of_the_page_is_maintained_from_there()
            throws Exception {
        rows().history(rows().ago(DAY.multipliedBy(400)), 5);
        rows().history(rows().ago(Duration.ZERO), 6);
        LocalDate tomorrow = LocalDate.now(ZoneOffset.UTC).plusDays(1);
        long limit = TimeUnit.SECONDS.toMicros(
                tomorrow.plusDays(1).atStartOfDay(ZoneOffset.UTC).toEpochSecond());

        for (String statement : statementsOfThePage()) {
            execute(statement
                    .replace("outbox_", PREFIX)
                    .replace("20250303", tomorrow.format(DateTimeFormatter.BASIC_ISO_DATE))
                    .replace("1741046400000000", String.valueOf(limit)));
        }
        assertThat(layout().partitions()).hasSize(1);
        assertThat(countTail()).isZero();

        assertThat(run(days(3, FOR_EVER))).isInstanceOf(PartitionRun.Done.class);
        assertThat(layout().partitions()).hasSizeGreaterThan(1);
        assertThat(count()).isEqualTo(11);
        new Schema(this::connect, dialect(), PREFIX).verify();
    }

    private List<String> statementsOfThePage() throws IOException {
        String page = Files.readString(Path.of("../docs/tables.md"));
        String[] both = page.substring(page.indexOf("-- MySQL, MariaDB: copies all rows"))
                .split("\n```", 2)[0]
                .split("\n(?=-- PostgreSQL)", 2);
        String ours = dialect().isMySqlFamily() ? both[0] : both[1];
        return Stream.of(ours.replaceFirst("--.*\n", "").split(";"))
                .map(String::strip)
                .filter(statement -> !statement.isEmpty())
                .toList();
    }

    @Test
    default void a_tail_that_is_named_like_a_word_of_sql_is_maintained() throws Exception {
        if (!dialect().isMySqlFamily()) {
            execute(withoutTail());
        }
        execute(withTail("default"));
        rows().history(rows().ago(Duration.ZERO), 5);

        assertThat(run(days(2, FOR_EVER))).isInstanceOf(PartitionRun.Done.class);
        assertThat(layout().tail()).isEqualTo("default");
        assertThat(countTail()).isZero();
        assertThat(count()).isEqualTo(5);
    }

    private String withTail(String name) {
        return dialect().isMySqlFamily()
                ? "ALTER TABLE " + HISTORY + " PARTITION BY RANGE (processed_at) (PARTITION `" + name
                        + "` VALUES LESS THAN MAXVALUE)"
                : "CREATE TABLE \"" + name + "\" PARTITION OF " + HISTORY + " DEFAULT";
    }

    @Test
    default void after_an_absence_the_rows_of_that_time_leave_the_tail() throws Exception {
        String last = layoutAfter(addForeign("long_ago", rows().ago(DAY.multipliedBy(10))));
        rows().history(rows().ago(DAY.multipliedBy(11)), 1);
        rows().history(rows().ago(DAY.multipliedBy(9)), 2);
        rows().history(rows().ago(Duration.ZERO), 3);
        assertThat(countTail()).as("after %s", last).isEqualTo(5);

        assertThat(run(days(2, FOR_EVER))).isInstanceOf(PartitionRun.Done.class);
        assertThat(countTail()).isZero();
        assertThat(count()).isEqualTo(6);
    }

    private String layoutAfter(String statement) throws SQLException {
        execute(statement);
        return layout().toString();
    }

    @Test
    default void a_long_tail_is_left_alone_unless_that_is_wanted() throws Exception {
        rows().history(rows().ago(Duration.ZERO), 11);
        PartitionSettings few = withTailOf(10, PartitionSettings.DEFAULT_MAX_TAIL_BYTES);

        assertThat(maintainer(few).dryRun(admin()).tailTooLong()).isTrue();
        try (CapturedLog log = new CapturedLog()) {
            assertThat(run(few)).isEqualTo(new PartitionRun.TailTooLong(List.of(), 11));
            assertThat(log.lines).anyMatch(line -> line.contains("OUTBOX-0466") && line.contains("more than 10 rows"));
        }
        assertThat(layout().partitions()).isEmpty();

        assertThat(run(few.withAnyTail())).isInstanceOf(PartitionRun.Done.class);
        assertThat(countTail()).isZero();
        assertThat(count()).isEqualTo(11);
    }

    /** On PostgreSQL, a statement that takes too long is ended instead. */
    @Test
    default void a_tail_of_few_large_rows_is_left_alone_on_mysql_and_mariadb() throws Exception {
        rows().history(rows().ago(Duration.ZERO), 3);
        PartitionSettings small = withTailOf(10, 5);
        boolean tooLong = dialect().isMySqlFamily();

        assertThat(maintainer(small).dryRun(admin()).tailTooLong()).isEqualTo(tooLong);
        try (CapturedLog log = new CapturedLog()) {
            PartitionRun run = run(small);
            if (tooLong) {
                assertThat(run).isEqualTo(new PartitionRun.TailTooLong(List.of(), 3));
                assertThat(log.lines)
                        .anyMatch(line -> line.contains("OUTBOX-0466")
                                && line.contains("rows with 6 bytes of payload, more than 5"));
            } else {
                assertThat(run).isInstanceOf(PartitionRun.Done.class);
            }
        }
        assertThat(run(withTailOf(3, 6))).isInstanceOf(PartitionRun.Done.class);
        assertThat(countTail()).isZero();
    }

    @Test
    default void a_conversion_lifts_a_limit_of_the_server_or_the_account_and_nothing_else_does() throws Exception {
        Assumptions.assumeThat(dialect())
                .as("MariaDB's only limit is lifted for each run")
                .isNotEqualTo(Dialect.MARIADB);
        PartitionSql sql = new PartitionSql(dialect(), PREFIX);
        Jdbc jdbc = new Jdbc(admin(), dialect());
        String value = sql.valueOf(sql.conversionLimit());
        Assumptions.assumeThat(text(jdbc, value))
                .as("PostgreSQL has it from version 17 on")
                .isNotNull();
        jdbc.update(sql.set(sql.conversionLimit(), "60000"));
        String before = text(jdbc, value);
        List<String> during = new ArrayList<>();

        maintainer(days(2, FOR_EVER)).run(admin(), (session, progress) -> during.add(text(session, value)));
        assertThat(during).as("a node's run").isNotEmpty().containsOnly(before);

        during.clear();
        maintainer(days(4, FOR_EVER).withAnyTail())
                .run(admin(), (session, progress) -> during.add(text(session, value)));
        assertThat(during).as("a conversion").isNotEmpty().allMatch(each -> new BigDecimal(each).signum() == 0);
        assertThat(text(jdbc, value)).as("afterwards").isEqualTo(before);
    }

    private static String text(Jdbc jdbc, String query) throws SQLException {
        return jdbc.list(query, row -> row.getString("found")).get(0);
    }

    private static PartitionSettings withTailOf(long rows, long bytes) {
        return new PartitionSettings(
                Period.DAY,
                DAY,
                FOR_EVER,
                rows,
                bytes,
                PartitionSettings.DEFAULT_LOCK_WAIT,
                PartitionSettings.DEFAULT_STATEMENT_LIMIT);
    }
}

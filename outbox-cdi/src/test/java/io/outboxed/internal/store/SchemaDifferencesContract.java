package io.outboxed.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Every kind of difference, one by one: a table is made from the schema file with one thing changed; the check says exactly
 * that, what it prints is run, and then it says nothing.
 */
interface SchemaDifferencesContract extends SchemaContract {
    String PREFIX = "mutant_";

    default DdlScript script() {
        return DdlScript.of(jdbc().dialect(), PREFIX);
    }

    default Schema fresh() throws SQLException {
        List<DdlScript.Table> tables = new ArrayList<>(script().tables());
        for (DdlScript.Table table : tables) {
            jdbc().run("DROP TABLE IF EXISTS " + table.name());
        }
        Schema schema = new Schema(jdbc().source(), jdbc().dialect(), PREFIX);
        schema.create();
        return schema;
    }

    /** A partition's key can't be changed at all, so history is left out where its columns are. */
    default List<DdlScript.Table> tables() {
        return script().tables().stream()
                .filter(table -> table.partitionOf() == null && !table.name().endsWith("history"))
                .toList();
    }

    /** Makes the table anew from a changed text, with those indexes that can be made. */
    default void remake(DdlScript.Table table, UnaryOperator<String> change, Set<String> without) throws SQLException {
        jdbc().run("DROP TABLE " + table.name());
        String changed = change.apply(table.ddl());
        assertThat(changed).as("the text has changed").isNotEqualTo(table.ddl());
        jdbc().execute(changed);
        for (DdlScript.Index index : table.indexes()) {
            if (!table.ddl().contains(index.name()) && without.stream().noneMatch(name -> concerns(index, name))) {
                jdbc().execute(index.ddl());
            }
        }
    }

    private static String line(DdlScript.Column column, String text) {
        return text.lines()
                .filter(line -> line.strip().startsWith(column.name() + " "))
                .findFirst()
                .orElseThrow();
    }

    static UnaryOperator<String> inLine(DdlScript.Column column, String what, String by) {
        return text -> {
            String line = line(column, text);
            return text.replace(line, line.replaceFirst(what, by));
        };
    }

    default List<SchemaCheck.Finding> finds(Schema schema, String... problems) {
        List<SchemaCheck.Finding> findings = schema.findings();
        assertThat(findings).extracting(SchemaCheck.Finding::problem).containsExactlyInAnyOrder(problems);
        return findings;
    }

    default void findsAndMends(Schema schema, String... problems) throws SQLException {
        mend(finds(schema, problems));
        finds(schema);
    }

    private void mend(List<SchemaCheck.Finding> findings) {
        for (SchemaCheck.Finding finding : findings) {
            for (String ddl : finding.ddl()) {
                assertThatCode(() -> jdbc().execute(ddl)).as(ddl).doesNotThrowAnyException();
            }
        }
    }

    /** A table that was made anew has no rows; what is printed mends its shape. */
    private void mendShape(Schema schema, List<SchemaCheck.Finding> findings) throws SQLException {
        mend(findings);
        for (String insert : script().statements()) {
            if (insert.startsWith("INSERT")) {
                jdbc().execute(insert);
            }
        }
        finds(schema);
    }

    default void findsAndMendsShape(Schema schema, String... problems) throws SQLException {
        mendShape(schema, finds(schema, problems));
    }

    static String name(DdlScript.Table table, DdlScript.Column column) {
        return "column " + table.name() + "." + column.name();
    }

    @Test
    default void a_missing_table_is_found_and_mended() throws Exception {
        Schema schema = fresh();
        for (DdlScript.Table table : script().tables()) {
            jdbc().run("DROP TABLE IF EXISTS " + table.name());
            List<String> problems = new ArrayList<>();
            problems.add("table " + table.name() + " is missing");
            script().tables().stream()
                    .filter(part -> table.name().equals(part.partitionOf()))
                    .forEach(part -> problems.add("table " + part.name() + " is missing"));
            findsAndMends(schema, problems.toArray(String[]::new));
        }
    }

    /** Makes a table anew with one column changed. @return how the problems begin, none if there is nothing to change */
    @FunctionalInterface
    interface Mutant {
        List<String> of(DdlScript.Table table, DdlScript.Column column) throws SQLException;
    }

    /** Each column once, a column of each table at a time. */
    default void eachColumn(Mutant mutant) throws SQLException {
        Schema schema = fresh();
        int most = tables().stream()
                .mapToInt(table -> table.columns().size())
                .max()
                .orElseThrow();
        for (int i = 0; i < most; i++) {
            List<String> expected = new ArrayList<>();
            Set<String> columns = new HashSet<>();
            for (DdlScript.Table table : tables()) {
                if (i < table.columns().size()) {
                    DdlScript.Column column = table.columns().get(i);
                    expected.addAll(mutant.of(table, column));
                    columns.add(name(table, column) + " ");
                }
            }
            List<SchemaCheck.Finding> findings = schema.findings();
            List<String> found =
                    findings.stream().map(SchemaCheck.Finding::problem).toList();
            assertThat(expected)
                    .allMatch(
                            begin -> found.stream().anyMatch(problem -> problem.startsWith(begin)),
                            "found in " + found);
            assertThat(found)
                    .allMatch(problem ->
                            Stream.concat(expected.stream(), columns.stream()).anyMatch(problem::startsWith));
            mendShape(schema, findings);
        }
    }

    @Test
    default void a_missing_column_is_found_and_mended() throws Exception {
        eachColumn((table, column) -> {
            List<String> key = new ArrayList<>(table.primaryKey());
            key.remove(column.name());
            remake(table, text -> without(text, column, table, key), Set.of(column.name()));
            List<String> problems = new ArrayList<>();
            problems.add(name(table, column) + " is missing");
            boolean bringsKey = column.isIdentity() && jdbc().dialect().isMySqlFamily();
            if (key.size() < table.primaryKey().size() && !bringsKey) {
                problems.add("primary key of " + table.name() + " is (" + String.join(", ", key) + "), expected ("
                        + String.join(", ", table.primaryKey()) + ")");
            }
            table.indexes().stream()
                    .filter(index -> concerns(index, column.name()))
                    .forEach(index -> problems.add(missing(index)));
            return problems;
        });
    }

    private static boolean concerns(DdlScript.Index index, String column) {
        return index.columns().contains(column)
                || index.condition() != null && index.condition().startsWith(column + " ");
    }

    private static String missing(DdlScript.Index index) {
        return "index on " + index.table() + " (" + String.join(", ", index.columns()) + ")"
                + (index.condition() == null ? "" : " where " + index.condition()) + " is missing";
    }

    private static String without(String text, DdlScript.Column column, DdlScript.Table table, List<String> key) {
        String lines = text.lines()
                .filter(line -> !line.equals(line(column, text)))
                .filter(line -> !(line.strip().startsWith("KEY ") && line.matches(".*[( ]" + column.name() + "[,)].*")))
                .filter(line -> !(key.isEmpty() && line.contains("PRIMARY KEY")))
                .collect(Collectors.joining("\n"));
        return lines.replace(
                        "PRIMARY KEY (" + String.join(", ", table.primaryKey()) + ")",
                        "PRIMARY KEY (" + String.join(", ", key) + ")")
                .replaceFirst(",\\n\\)", "\n)");
    }

    @Test
    default void a_column_of_another_type_or_size_is_found_and_mended() throws Exception {
        String type = " [A-Z]+(?: VARYING| LARGE OBJECT)?(\\(\\d+\\))?( WITH TIME ZONE)?";
        eachColumn((table, column) -> {
            remake(table, inLine(column, column.name() + type, column.name() + " " + otherType(column)), Set.of());
            return List.of(name(table, column) + " is ");
        });
    }

    private String otherType(DdlScript.Column column) {
        String type = column.type();
        if (column.isTime()) {
            return jdbc().dialect().isMySqlFamily() ? "DATETIME(6)" : "TIMESTAMP(6)";
        }
        if (column.size() > 0 && column.isText()) {
            return "VARCHAR(" + (column.size() - 1) + ")";
        }
        return switch (type) {
            case "BIGINT" -> jdbc().dialect().isMySqlFamily() ? "INT" : "INTEGER";
            case "SMALLINT", "INTEGER", "INT" -> "BIGINT";
            case "BINARY" -> "BINARY(17)";
            default -> "VARCHAR(100)";
        };
    }

    @Test
    default void a_column_that_allows_or_refuses_null_is_found_and_mended() throws Exception {
        String nullable = jdbc().dialect().isMySqlFamily() ? " NULL" : "";
        eachColumn((table, column) -> {
            if (column.isNullable()) {
                remake(table, inLine(column, "( NULL)?(,?)$", " NOT NULL$2"), Set.of());
                return List.of(name(table, column) + " is NOT NULL, expected to allow NULL");
            }
            if (table.primaryKey().contains(column.name())) {
                return List.of();
            }
            remake(table, inLine(column, " NOT NULL", nullable), Set.of());
            return List.of(name(table, column) + " allows NULL, expected NOT NULL");
        });
    }

    @Test
    default void a_missing_or_another_default_is_found_and_mended() throws Exception {
        String standard = "(?<!BY )DEFAULT [^ ,]+";
        eachColumn((table, column) -> {
            if (column.defaultValue() == null) {
                return List.of();
            }
            remake(table, inLine(column, standard, ""), Set.of());
            return List.of(name(table, column) + " has the default NULL, expected " + column.defaultValue());
        });
        eachColumn((table, column) -> {
            if (column.defaultValue() == null || column.isTime()) {
                return List.of();
            }
            remake(table, inLine(column, standard, "DEFAULT 7"), Set.of());
            return List.of(name(table, column) + " has the default 7, expected " + column.defaultValue());
        });
    }

    @Test
    default void a_time_that_is_rounded_is_found_and_mended() throws Exception {
        eachColumn((table, column) -> {
            if (!column.isTime()) {
                return List.of();
            }
            remake(table, text -> text.replace(line(column, text), rounded(line(column, text))), Set.of());
            return List.of(name(table, column) + " keeps 3 digits of a second, expected 6");
        });
    }

    private static String rounded(String line) {
        return line.contains("(6)") ? line.replace("(6)", "(3)") : line.replace("TIMESTAMPTZ", "TIMESTAMPTZ(3)");
    }

    @Test
    default void a_number_that_the_database_does_not_give_is_found_and_mended() throws Exception {
        Schema schema = fresh();
        DdlScript.Table table = tables().get(0);
        DdlScript.Column seq = table.columns().get(0);
        remake(table, inLine(seq, "AUTO_INCREMENT|GENERATED BY DEFAULT AS IDENTITY", ""), Set.of());
        insert(table.name(), 41);
        findsAndMendsShape(schema, name(table, seq) + " is not numbered by the database");
        insert(table.name(), null);
        assertThat(new Jdbc(jdbc().admin, jdbc().dialect())
                        .list("SELECT seq FROM " + table.name() + " ORDER BY seq", row -> row.getLong("seq")))
                .containsExactly(41L, 42L);
    }

    private void insert(String table, Integer seq) throws SQLException {
        String id = jdbc().dialect().isMySqlFamily()
                ? "x'00000000000000000000000000000001'"
                : "'00000000-0000-0000-0000-000000000001'";
        jdbc().execute("INSERT INTO " + table + " (" + (seq == null ? "" : "seq, ") + "id, shard, lane, type) VALUES ("
                + (seq == null ? "" : seq + ", ") + id + ", 1, 1, 't')");
    }

    @Test
    default void another_primary_key_is_found_and_mended() throws Exception {
        Schema schema = fresh();
        for (DdlScript.Table table : tables()) {
            String columns = String.join(", ", table.primaryKey());
            String keyLine = "PRIMARY KEY (" + columns + ")";
            if (!table.columns().get(0).isIdentity()) {
                remake(table, text -> text.replaceFirst(",\\n  \\Q" + keyLine + "\\E", ""), Set.of());
                findsAndMendsShape(schema, "primary key of " + table.name() + " is (), expected (" + columns + ")");
            }
            String more = table.columns().stream()
                    .filter(column ->
                            !column.isNullable() && !table.primaryKey().contains(column.name()))
                    .map(DdlScript.Column::name)
                    .findFirst()
                    .orElse("shard");
            String longer = columns + ", " + more;
            remake(table, text -> text.replace(keyLine, "PRIMARY KEY (" + longer + ")"), Set.of());
            findsAndMendsShape(
                    schema, "primary key of " + table.name() + " is (" + longer + "), expected (" + columns + ")");
        }
    }

    @Test
    default void an_index_that_is_missing_or_another_one_is_found_and_mended() throws Exception {
        Schema schema = fresh();
        for (DdlScript.Table table : tables()) {
            for (DdlScript.Index index : table.indexes()) {
                jdbc().run(dropIndex(table.name(), index.name()));
                findsAndMends(schema, missing(index));
                jdbc().run(dropIndex(table.name(), index.name()));
                jdbc().run("CREATE INDEX " + index.name() + " ON " + table.name() + " (shard)");
                findsAndMends(schema, missing(index).replace(" is missing", " is another one or can't be used"));
            }
        }
    }

    @Test
    default void a_unique_index_that_would_refuse_messages_is_found_and_mended() throws Exception {
        Schema schema = fresh();
        jdbc().run("CREATE UNIQUE INDEX mutant_once ON mutant_dead (died_at)");
        findsAndMends(schema, "index mutant_once on mutant_dead (died_at) is unique: it would refuse messages");
    }

    @Test
    default void missing_rows_are_found_and_mended() throws Exception {
        Schema schema = fresh();
        for (String name : List.of("schema", "shards", "registry", "probe")) {
            jdbc().run("DELETE FROM mutant_meta WHERE name = ?", name);
            findsAndMends(schema, "rows of the meta table are missing");
        }
        for (int shard : List.of(0, 17, 63)) {
            jdbc().run("DELETE FROM mutant_shard WHERE shard = ?", shard);
            findsAndMends(schema, "rows of the shard table are missing");
        }
        jdbc().run("UPDATE mutant_shard SET shard = 64 WHERE shard = 5");
        findsAndMends(schema, "rows of the shard table are missing");
    }

    @Test
    default void what_an_operator_adds_is_his_own_affair_unless_nothing_could_be_inserted() throws Exception {
        Schema schema = fresh();
        jdbc().run("ALTER TABLE mutant_message ADD COLUMN tenant VARCHAR(20)");
        jdbc().run("ALTER TABLE mutant_message ADD COLUMN region VARCHAR(20) DEFAULT 'x' NOT NULL");
        jdbc().run("CREATE INDEX mutant_tenant ON mutant_message (tenant)");
        jdbc().run("CREATE UNIQUE INDEX mutant_ids ON mutant_message (id)");
        finds(schema);
        jdbc().run("ALTER TABLE mutant_message ADD COLUMN owner_id INT NOT NULL");
        findsAndMends(
                schema,
                "column mutant_message.owner_id is not one of Outboxed, is NOT NULL and has no default: nothing could be"
                        + " inserted");
        insert("mutant_message", null);
    }
}

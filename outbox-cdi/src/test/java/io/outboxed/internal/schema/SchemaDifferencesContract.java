package io.outboxed.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.database.Jdbc;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Every kind of difference, one kind at a time: tables are created from the schema file with that difference in every
 * place that can have it. The check reports exactly these places, the DDL that it prints is run, and then it reports
 * nothing.
 */
public interface SchemaDifferencesContract extends SchemaContract, MutantTables {

    @Test
    default void a_missing_table_is_found_and_repaired() throws Exception {
        Schema schema = fresh();
        for (DdlScript.Table table : script().tables()) {
            jdbc().run("DROP TABLE IF EXISTS " + table.name());
            List<String> problems = new ArrayList<>();
            problems.add("table " + table.name() + " is missing");
            script().tables().stream()
                    .filter(part -> table.name().equals(part.partitionOf()))
                    .forEach(part -> problems.add("table " + part.name() + " is missing"));
            findsAndRepairs(schema, problems.toArray(String[]::new));
        }
    }

    /** Each column by itself, of all tables at once: there is no table without columns. */
    @Test
    default void a_missing_column_is_found_and_repaired() throws Exception {
        Schema schema = fresh();
        int most = tables().stream()
                .mapToInt(table -> table.columns().size())
                .max()
                .orElseThrow();
        for (int i = 0; i < most; i++) {
            List<String> problems = new ArrayList<>();
            List<String> columns = new ArrayList<>();
            for (DdlScript.Table table : tables()) {
                if (i < table.columns().size() && table.columns().size() > 1) {
                    DdlScript.Column column = table.columns().get(i);
                    problems.addAll(remakeWithout(table, column));
                    columns.add(MutantTables.name(table, column) + " ");
                }
            }
            findsAndRepairsColumns(schema, problems, columns);
        }
    }

    private List<String> remakeWithout(DdlScript.Table table, DdlScript.Column column) throws SQLException {
        List<String> key = new ArrayList<>(table.primaryKey());
        key.remove(column.name());
        remake(table, text -> without(text, column, table, key), Set.of(column.name()));
        List<String> problems = new ArrayList<>();
        problems.add(MutantTables.name(table, column) + " is missing");
        boolean bringsKey = column.isIdentity() && jdbc().dialect().isMySqlFamily();
        if (key.size() < table.primaryKey().size() && !bringsKey) {
            problems.add("primary key of " + table.name() + " is (" + String.join(", ", key) + "), expected ("
                    + String.join(", ", table.primaryKey()) + ")");
        }
        table.indexes().stream()
                .filter(index -> MutantTables.concerns(index, column.name()))
                .forEach(index -> problems.add(missing(index)));
        return problems;
    }

    private static String missing(DdlScript.Index index) {
        return "index on " + index.table() + " (" + String.join(", ", index.columns()) + ")"
                + (index.condition() == null ? "" : " where " + index.condition()) + " is missing";
    }

    private static String without(String text, DdlScript.Column column, DdlScript.Table table, List<String> key) {
        String lines = text.lines()
                .filter(line -> !line.equals(MutantTables.line(column, text)))
                .filter(line -> !(line.strip().startsWith("KEY ") && line.matches(".*[( ]" + column.name() + "[,)].*")))
                .filter(line -> !(key.isEmpty() && line.contains("PRIMARY KEY")))
                .collect(Collectors.joining("\n"));
        return lines.replace(
                        "PRIMARY KEY (" + String.join(", ", table.primaryKey()) + ")",
                        "PRIMARY KEY (" + String.join(", ", key) + ")")
                .replaceFirst(",\\n\\)", "\n)");
    }

    @Test
    default void a_column_of_another_type_or_size_is_found_and_repaired() throws Exception {
        String type = " [A-Z]+(?: VARYING| LARGE OBJECT)?(\\(\\d+\\))?( WITH TIME ZONE)?";
        eachColumn((table, column) -> new Change(
                MutantTables.inLine(column, column.name() + type, column.name() + " " + otherType(column)),
                MutantTables.name(table, column) + " is "));
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
    default void a_column_with_the_wrong_nullability_is_found_and_repaired() throws Exception {
        String nullable = jdbc().dialect().isMySqlFamily() ? " NULL" : "";
        eachColumn((table, column) -> {
            if (column.isNullable()) {
                return new Change(
                        MutantTables.inLine(column, "( NULL)?(,?)$", " NOT NULL$2"),
                        MutantTables.name(table, column) + " is NOT NULL, expected to allow NULL");
            }
            return table.primaryKey().contains(column.name())
                    ? null
                    : new Change(
                            MutantTables.inLine(column, " NOT NULL", nullable),
                            MutantTables.name(table, column) + " allows NULL, expected NOT NULL");
        });
    }

    @Test
    default void a_missing_or_different_default_is_found_and_repaired() throws Exception {
        String defaultClause = "(?<!BY )DEFAULT [^ ,]+";
        eachColumn((table, column) -> column.defaultValue() == null
                ? null
                : new Change(
                        MutantTables.inLine(column, defaultClause, ""),
                        MutantTables.name(table, column) + " has the default NULL, expected " + column.defaultValue()));
        eachColumn((table, column) -> column.defaultValue() == null || column.isTime()
                ? null
                : new Change(
                        MutantTables.inLine(column, defaultClause, "DEFAULT 7"),
                        MutantTables.name(table, column) + " has the default 7, expected " + column.defaultValue()));
    }

    @Test
    default void a_time_that_is_rounded_is_found_and_repaired() throws Exception {
        eachColumn((table, column) -> column.isTime()
                ? new Change(
                        text -> text.replace(MutantTables.line(column, text), rounded(MutantTables.line(column, text))),
                        MutantTables.name(table, column) + " has 3 fractional digits of a second, expected 6")
                : null);
    }

    private static String rounded(String line) {
        return line.contains("(6)") ? line.replace("(6)", "(3)") : line.replace("TIMESTAMPTZ", "TIMESTAMPTZ(3)");
    }

    @Test
    default void a_number_that_the_database_does_not_generate_is_found_and_repaired() throws Exception {
        Schema schema = fresh();
        DdlScript.Table table = tables().get(0);
        DdlScript.Column seq = table.columns().get(0);
        remake(table, MutantTables.inLine(seq, "AUTO_INCREMENT|GENERATED BY DEFAULT AS IDENTITY", ""), Set.of());
        insert(table.name(), 41);
        findsAndRepairsShape(schema, MutantTables.name(table, seq) + " is not numbered by the database");
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

    /** Of all tables at once. */
    @Test
    default void a_different_primary_key_is_found_and_repaired() throws Exception {
        Schema schema = fresh();
        List<String> missing = new ArrayList<>();
        List<String> longer = new ArrayList<>();
        for (DdlScript.Table table : tables()) {
            if (!table.columns().get(0).isIdentity()) {
                String keyLine = ",\\n  \\Q" + keyLine(table) + "\\E";
                remake(table, text -> text.replaceFirst(keyLine, ""), Set.of());
                missing.add(differentKey(table, ""));
            }
        }
        findsAndRepairsShape(schema, missing.toArray(String[]::new));
        for (DdlScript.Table table : tables()) {
            Optional<String> more = table.columns().stream()
                    .filter(column ->
                            !column.isNullable() && !table.primaryKey().contains(column.name()))
                    .map(DdlScript.Column::name)
                    .findFirst();
            if (more.isEmpty()) {
                continue; // every column is in the key
            }
            String columns = String.join(", ", table.primaryKey()) + ", " + more.get();
            remake(table, text -> text.replace(keyLine(table), "PRIMARY KEY (" + columns + ")"), Set.of());
            longer.add(differentKey(table, columns));
        }
        findsAndRepairsShape(schema, longer.toArray(String[]::new));
    }

    private static String keyLine(DdlScript.Table table) {
        return "PRIMARY KEY (" + String.join(", ", table.primaryKey()) + ")";
    }

    private static String differentKey(DdlScript.Table table, String columns) {
        return "primary key of " + table.name() + " is (" + columns + "), expected ("
                + String.join(", ", table.primaryKey()) + ")";
    }

    /** All of them at once. */
    @Test
    default void a_missing_or_different_index_is_found_and_repaired() throws Exception {
        Schema schema = fresh();
        List<String> missing = dropIndexes();
        findsAndRepairs(schema, missing.toArray(String[]::new));
        dropIndexes();
        for (DdlScript.Table table : tables()) {
            for (DdlScript.Index index : table.indexes()) {
                jdbc().run("CREATE INDEX " + index.name() + " ON " + table.name() + " ("
                        + table.columns().get(0).name() + ")");
            }
        }
        findsAndRepairs(
                schema,
                missing.stream()
                        .map(problem -> problem.replace(" is missing", " differs or is unusable"))
                        .toArray(String[]::new));
    }

    private List<String> dropIndexes() throws SQLException {
        List<String> missing = new ArrayList<>();
        for (DdlScript.Table table : tables()) {
            for (DdlScript.Index index : table.indexes()) {
                dropIndex(table.name(), index.name());
                missing.add(missing(index));
            }
        }
        return missing;
    }

    /** The history is left out above; on PostgreSQL the index of a partition belongs to that of the table. */
    @Test
    default void a_missing_index_of_the_history_is_found_and_repaired() throws Exception {
        Schema schema = fresh();
        dropIndex("mutant_history", "mutant_history_processed");
        findsAndRepairs(schema, "index on mutant_history (processed_at) is missing");
    }

    @Test
    default void a_unique_index_that_would_refuse_messages_is_found_and_repaired() throws Exception {
        Schema schema = fresh();
        jdbc().run("CREATE UNIQUE INDEX mutant_once ON mutant_dead (died_at)");
        findsAndRepairs(schema, "index mutant_once on mutant_dead (died_at) is unique: it would reject messages");
    }

    /** As those that an ORM makes: statements find them only as they are stored. */
    @Test
    default void names_that_have_to_be_quoted_are_found_and_repaired() throws Exception {
        Schema schema = fresh();
        jdbc().run("CREATE UNIQUE INDEX " + quoted("UX_Message_id") + " ON mutant_message (id)");
        findsAndRepairs(schema, "index UX_Message_id on mutant_message (id) is unique: it would reject messages");
        for (String name : List.of("tenantId", "order")) {
            jdbc().run("ALTER TABLE mutant_message ADD COLUMN " + quoted(name) + " INT NOT NULL");
            findsAndRepairs(
                    schema,
                    "column mutant_message." + name
                            + " does not belong to Outboxed, is NOT NULL and has no default: every"
                            + " insert would fail");
        }
        insert("mutant_message", null);
    }

    private String quoted(String name) {
        return jdbc().dialect().isMySqlFamily() ? "`" + name + "`" : "\"" + name + "\"";
    }

    @Test
    default void missing_rows_are_found_and_repaired() throws Exception {
        Schema schema = fresh();
        for (String name : List.of("schema", "shards", "registry", "probe")) {
            jdbc().run("DELETE FROM mutant_meta WHERE name = ?", name);
            findsAndRepairs(schema, "rows of the meta table are missing");
        }
        for (int shard : List.of(0, 17, 63)) {
            jdbc().run("DELETE FROM mutant_shard WHERE shard = ?", shard);
            findsAndRepairs(schema, "rows of the shard table are missing");
        }
        jdbc().run("UPDATE mutant_shard SET shard = 64 WHERE shard = 5");
        findsAndRepairs(schema, "rows of the shard table are missing");
        jdbc().run("DELETE FROM mutant_lock WHERE slot IN (0, 511, 1023)");
        findsAndRepairs(schema, "rows of the lock table are missing");
    }

    @Test
    default void an_operators_additions_are_ignored_unless_they_prevent_inserts() throws Exception {
        Schema schema = fresh();
        jdbc().run("ALTER TABLE mutant_message ADD COLUMN tenant VARCHAR(20)");
        jdbc().run("ALTER TABLE mutant_message ADD COLUMN region VARCHAR(20) DEFAULT 'x' NOT NULL");
        jdbc().run("CREATE INDEX mutant_tenant ON mutant_message (tenant)");
        jdbc().run("CREATE UNIQUE INDEX mutant_seqs ON mutant_message (tenant, seq)");
        finds(schema);
        jdbc().run("CREATE UNIQUE INDEX mutant_ids ON mutant_message (id)");
        findsAndRepairs(schema, "index mutant_ids on mutant_message (id) is unique: it would reject messages");
        jdbc().run("ALTER TABLE mutant_message ADD COLUMN owner_id INT NOT NULL");
        findsAndRepairs(
                schema,
                "column mutant_message.owner_id does not belong to Outboxed, is NOT NULL and has no default: every insert"
                        + " would fail");
        insert("mutant_message", null);
    }
}

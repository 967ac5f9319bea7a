package io.outboxed.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.outboxed.internal.store.JdbcContract;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Tables made from the schema file with one change, what the check reports about them, and whether the DDL it prints
 * repairs them.
 */
public interface MutantTables extends JdbcContract {
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

    /** Creates the table again from a changed text, with those indexes that can be created. */
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

    static String line(DdlScript.Column column, String text) {
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

    default void findsAndRepairs(Schema schema, String... problems) throws SQLException {
        repair(finds(schema, problems));
        finds(schema);
    }

    private void repair(List<SchemaCheck.Finding> findings) {
        for (SchemaCheck.Finding finding : findings) {
            for (String ddl : finding.ddl()) {
                assertThatCode(() -> jdbc().execute(ddl)).as(ddl).doesNotThrowAnyException();
            }
        }
    }

    /** A table that was created again has no rows; the printed DDL repairs its shape. */
    private void repairShape(Schema schema, List<SchemaCheck.Finding> findings) throws SQLException {
        repair(findings);
        for (String insert : script().statements()) {
            if (insert.startsWith("INSERT")) {
                jdbc().execute(insert);
            }
        }
        finds(schema);
    }

    default void findsAndRepairsShape(Schema schema, String... problems) throws SQLException {
        repairShape(schema, finds(schema, problems));
    }

    static String name(DdlScript.Table table, DdlScript.Column column) {
        return "column " + table.name() + "." + column.name();
    }

    /** What is different in a column's line of the text, and how the problem begins that is reported for it. */
    record Change(UnaryOperator<String> text, String problem) {}

    /** Null for a column that can't be changed so. */
    @FunctionalInterface
    interface ColumnChange {
        Change of(DdlScript.Table table, DdlScript.Column column);
    }

    /** Every column that can be changed so, all at once: none of the differences hides another. */
    default void eachColumn(ColumnChange change) throws SQLException {
        Schema schema = fresh();
        List<String> expected = new ArrayList<>();
        List<String> columns = new ArrayList<>();
        for (DdlScript.Table table : tables()) {
            UnaryOperator<String> changed = UnaryOperator.identity();
            for (DdlScript.Column column : table.columns()) {
                Change one = change.of(table, column);
                if (one != null) {
                    UnaryOperator<String> before = changed;
                    changed = text -> one.text().apply(before.apply(text));
                    expected.add(one.problem());
                    columns.add(name(table, column) + " ");
                }
            }
            String text = changed.apply(table.ddl());
            if (!text.equals(table.ddl())) {
                remake(table, ddl -> text, Set.of());
            }
        }
        findsAndRepairsColumns(schema, expected, columns);
    }

    /** More may be found of the columns that are named, but nothing of others. */
    default void findsAndRepairsColumns(Schema schema, List<String> expected, List<String> columns)
            throws SQLException {
        List<SchemaCheck.Finding> findings = schema.findings();
        List<String> found = findings.stream().map(SchemaCheck.Finding::problem).toList();
        assertThat(expected)
                .isNotEmpty()
                .allMatch(begin -> found.stream().anyMatch(problem -> problem.startsWith(begin)), "found in " + found);
        assertThat(found)
                .allMatch(problem ->
                        Stream.concat(expected.stream(), columns.stream()).anyMatch(problem::startsWith));
        repairShape(schema, findings);
    }

    static boolean concerns(DdlScript.Index index, String column) {
        return index.columns().contains(column)
                || index.condition() != null && index.condition().startsWith(column + " ");
    }
}

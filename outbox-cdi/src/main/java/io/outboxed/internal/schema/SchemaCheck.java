package io.outboxed.internal.schema;

import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.store.LaneHash;
import io.outboxed.internal.store.jdbc.caller.AggregateLock;
import io.outboxed.internal.store.sql.Sql;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Compares the tables of a database with its schema file. Additions by an operator are accepted as long as the outbox
 * can still write.
 */
public final class SchemaCheck {
    private static final Set<String> BINARY_ORDERS = Set.of("utf8mb4_bin", "utf8mb4_0900_bin");
    private static final int MICROSECONDS = 6;

    private final DdlScript script;
    private final Sql sql;
    private final SchemaSql repairs;
    private final Dialect dialect;

    SchemaCheck(DdlScript script, Sql sql) {
        this.script = script;
        this.sql = sql;
        this.dialect = sql.dialect();
        this.repairs = new SchemaSql(dialect, sql.schema());
    }

    /**
     * @param ddl the statements that fix it, in the order in which they have to be run
     * @param otherLayout whether the tables belong to another version, so that nothing may be added to them
     */
    public record Finding(String problem, List<String> ddl, boolean otherLayout) {
        Finding(String problem, List<String> ddl) {
            this(problem, ddl, false);
        }
    }

    List<Finding> findings(Jdbc jdbc) throws SQLException {
        Catalog catalog = new Catalog(jdbc, sql.schema());
        List<Finding> findings = new ArrayList<>();
        long layout = layout(catalog, jdbc);
        if (layout < UpgradeScript.CURRENT) {
            boolean begun = hasVersion(catalog);
            return List.of(new Finding(
                    "the tables have layout " + layout + ", this version needs layout " + UpgradeScript.CURRENT + ": "
                            + (begun
                                    ? "their upgrade has stopped half-way, continue with the statement that failed"
                                    : "stop all nodes of the older version, then change the tables")
                            + " (docs/upgrading.md)",
                    UpgradeScript.statements(dialect, sql.prefix(), (int) layout),
                    true));
        }
        if (layout > UpgradeScript.CURRENT) {
            return List.of(new Finding(
                    "the tables have layout " + layout + ", this version needs layout " + UpgradeScript.CURRENT
                            + ": they were changed for a newer version of Outboxed, deploy that one",
                    List.of(),
                    true));
        }
        for (DdlScript.Table table : script.tables()) {
            if (!catalog.has(table.name())) {
                findings.add(missing(catalog, table));
            } else if (table.partitionOf() != null) {
                comparePartition(catalog, table, findings);
            } else {
                compare(catalog, table, findings);
            }
        }
        if (findings.isEmpty()) {
            checkRows(jdbc, findings);
        }
        return findings;
    }

    /** The current one if there are no tables. */
    private long layout(Catalog catalog, Jdbc jdbc) throws SQLException {
        // layout 0 has the number 1, as the first release; the last step of its upgrade changes the history
        Set<String> history = catalog.columns(sql.prefix() + "history").keySet();
        if (!hasVersion(catalog) || history.contains("registry")) {
            return 0;
        }
        boolean numbered = catalog.columns(sql.prefix() + "meta").keySet().containsAll(Set.of("name", "setting"));
        return numbered
                ? jdbc.first(sql.probes.meta, row -> row.getLong("setting"), "schema")
                        .orElse((long) UpgradeScript.CURRENT)
                : UpgradeScript.CURRENT;
    }

    private boolean hasVersion(Catalog catalog) throws SQLException {
        Set<String> columns = catalog.columns(sql.prefix() + "message").keySet();
        return columns.contains("version") || !columns.contains("attempts");
    }

    /** Nodes and operators with another search path would not find a table that is created beside the others. */
    private Finding missing(Catalog catalog, DdlScript.Table table) throws SQLException {
        Finding finding = new IndexCheck(repairs, catalog).renamed(table, missing(table));
        if (dialect != Dialect.POSTGRESQL || sql.schema() != null) {
            return finding;
        }
        return catalog.otherSchema(
                        script.tables().stream().map(DdlScript.Table::name).toList())
                .map(schemas -> new Finding(
                        finding.problem() + " in the schema " + schemas.hasTables()
                                + ", where the search path finds the"
                                + " others; it would be created in " + schemas.getsTables()
                                + ", which comes first: put "
                                + schemas.hasTables() + " first in the search path, or in front of outbox.table-prefix",
                        Stream.concat(Stream.of(SchemaSql.createIn(schemas.hasTables())), finding.ddl().stream())
                                .toList()))
                .orElse(finding);
    }

    private Finding missing(DdlScript.Table table) {
        List<String> ddl = new ArrayList<>();
        ddl.add(table.ddl());
        table.indexes().stream()
                .filter(index -> !table.ddl().contains(index.name()))
                .forEach(index -> ddl.add(index.ddl()));
        script.statements().stream()
                .filter(statement -> statement.startsWith("INSERT") && statement.contains(" " + table.name() + " ("))
                .forEach(ddl::add);
        return new Finding("table " + table.name() + " is missing", ddl);
    }

    private static void comparePartition(Catalog catalog, DdlScript.Table part, List<Finding> findings)
            throws SQLException {
        if (!catalog.isPartition(part.name(), part.partitionOf())) {
            findings.add(new Finding(
                    "table " + part.name() + " is not a partition of " + part.partitionOf(),
                    List.of(SchemaSql.attach(part.name(), part.partitionOf()))));
        }
    }

    private void compare(Catalog catalog, DdlScript.Table table, List<Finding> findings) throws SQLException {
        if (dialect.isMySqlFamily() && !"InnoDB".equalsIgnoreCase(catalog.engine(table.name()))) {
            findings.add(new Finding(
                    "table " + table.name() + " uses the engine " + catalog.engine(table.name())
                            + ", which has no transactions; expected InnoDB",
                    List.of(SchemaSql.changeEngine(table.name()))));
        }
        if (dialect.isMySqlFamily() && table.ddl().contains("PARTITION BY") && catalog.lacksTail(table.name())) {
            findings.add(new Finding(
                    "table " + table.name() + " has no partition for everything after the last one: later rows would be"
                            + " refused",
                    List.of(SchemaSql.addTail(table.name()))));
        }
        if (dialect == Dialect.POSTGRESQL && catalog.isUnlogged(table.name())) {
            findings.add(new Finding(
                    "table " + table.name() + " is unlogged: after a crash of the database it would be empty",
                    List.of(SchemaSql.makeLogged(table.name()))));
        }
        Map<String, Catalog.Column> actual = catalog.columns(table.name());
        Catalog.PrimaryKey key = catalog.primaryKey(table.name());
        boolean keyIsComing = addMissing(table, actual, key, findings);
        if (!keyIsComing) {
            comparePrimaryKey(table, key, findings);
        }
        for (DdlScript.Column column : table.columns()) {
            if (actual.containsKey(column.name())) {
                compare(table, column, actual.get(column.name()), findings);
            }
        }
        refuseOthers(table, actual, findings);
        new IndexCheck(repairs, catalog).compare(table, findings);
    }

    /** @return whether the statement for a missing column also adds the primary key */
    private boolean addMissing(
            DdlScript.Table table, Map<String, Catalog.Column> actual, Catalog.PrimaryKey key, List<Finding> findings) {
        boolean bringsKey = false;
        for (DdlScript.Column column : table.columns()) {
            if (!actual.containsKey(column.name())) {
                bringsKey |= repairs.bringsKey(column);
                findings.add(new Finding(
                        "column " + table.name() + "." + column.name() + " is missing",
                        List.of(repairs.addColumn(table, column, key.constraint() != null))));
            }
        }
        return bringsKey;
    }

    // ---- columns ----

    private void compare(DdlScript.Table table, DdlScript.Column column, Catalog.Column found, List<Finding> findings) {
        String name = "column " + table.name() + "." + column.name();
        if (!fits(column, found)) {
            findings.add(new Finding(
                    name + " is " + text(found.type(), found.size()) + ", expected "
                            + text(Catalog.canonical(column.type()), column.size()),
                    repairs.changeType(table.name(), column)));
        }
        if (column.isTime() && found.fraction() != MICROSECONDS) {
            findings.add(new Finding(
                    name + " has " + found.fraction() + " fractional digits of a second, expected " + MICROSECONDS,
                    repairs.changeType(table.name(), column)));
        }
        if (found.touched()) {
            findings.add(new Finding(
                    name + " changes with every update of its row (ON UPDATE), expected to keep its value",
                    repairs.changeDefault(table.name(), column)));
        }
        if (column.isText() && isWrongOrder(found.textOrder())) {
            findings.add(new Finding(
                    name + " uses the collation " + found.textOrder() + ", which may treat different names as equal",
                    repairs.changeType(table.name(), column)));
        }
        if (found.nullable() != isNullable(table, column)) {
            findings.add(new Finding(
                    name
                            + (found.nullable()
                                    ? " allows NULL, expected NOT NULL"
                                    : " is NOT NULL, expected to allow NULL"),
                    repairs.changeNullability(table.name(), column)));
        }
        if (column.isIdentity() && !found.identity()) {
            findings.add(
                    new Finding(name + " is not numbered by the database", repairs.makeIdentity(table.name(), column)));
        }
        String defaultValue = column.defaultValue();
        if (defaultValue != null && !plain(defaultValue).equalsIgnoreCase(plain(found.defaultValue()))) {
            findings.add(new Finding(
                    name + " has the default " + plain(found.defaultValue()) + ", expected " + defaultValue,
                    repairs.changeDefault(table.name(), column)));
        }
    }

    private static boolean fits(DdlScript.Column column, Catalog.Column found) {
        // a longer BINARY would pad an id with zeros
        boolean size = column.type().equals("BINARY") ? found.size() == column.size() : found.size() >= column.size();
        return size && Catalog.canonical(column.type()).equals(found.type());
    }

    private static boolean isNullable(DdlScript.Table table, DdlScript.Column column) {
        return column.isNullable() && !table.primaryKey().contains(column.name());
    }

    private boolean isWrongOrder(String order) {
        return dialect.isMySqlFamily() ? !BINARY_ORDERS.contains(order) : order != null;
    }

    /** Strips what databases add to a default: {@code '0'::smallint}, {@code (0)}. */
    private static String plain(String value) {
        return value == null
                ? "NULL"
                : value.replaceFirst("::.*", "")
                        .replaceAll("^\\((.*)\\)$", "$1")
                        .replace("'", "");
    }

    private void refuseOthers(DdlScript.Table table, Map<String, Catalog.Column> actual, List<Finding> findings) {
        Set<String> ours = new HashSet<>();
        table.columns().forEach(column -> ours.add(column.name()));
        actual.forEach((name, column) -> {
            boolean needed = !column.nullable() && column.defaultValue() == null;
            if (!ours.contains(name) && needed && !column.identity() && !column.computed()) {
                findings.add(new Finding(
                        "column " + table.name() + "." + repairs.shown(column.name())
                                + " does not belong to Outboxed, is NOT NULL and has no default: every insert would"
                                + " fail",
                        List.of(repairs.allowNull(table.name(), column.name(), column.fullType()))));
            }
        });
    }

    // ---- keys ----

    private void comparePrimaryKey(DdlScript.Table table, Catalog.PrimaryKey found, List<Finding> findings) {
        if (!table.primaryKey().equals(found.columns())) {
            findings.add(new Finding(
                    "primary key of " + table.name() + " is (" + String.join(", ", found.columns()) + "), expected ("
                            + String.join(", ", table.primaryKey()) + ")",
                    repairs.changePrimaryKey(table.name(), table.primaryKey(), found.constraint())));
        }
    }

    // ---- rows ----

    private void checkRows(Jdbc jdbc, List<Finding> findings) throws SQLException {
        List<String> inserts = script.statements().stream()
                .filter(statement -> statement.startsWith("INSERT"))
                .toList();
        boolean numbers = jdbc.exists(sql.probes.meta, "registry")
                && jdbc.exists(sql.probes.meta, "schema")
                && jdbc.exists(sql.probes.meta, "shards")
                && jdbc.exists(sql.probes.meta, "probe");
        if (!numbers) {
            findings.add(new Finding("rows of the meta table are missing", List.of(inserts.get(0))));
        }
        List<Integer> shards = jdbc.list(sql.nodes.shards, row -> row.getInt("shard"));
        if (!new HashSet<>(shards)
                .containsAll(IntStream.range(0, LaneHash.SHARDS).boxed().toList())) {
            findings.add(new Finding("rows of the shard table are missing", List.of(inserts.get(1))));
        }
        int slots = jdbc.first(sql.probes.countSlots, row -> row.getInt("slots"), AggregateLock.SLOTS)
                .orElse(0);
        if (slots != AggregateLock.SLOTS) {
            findings.add(new Finding("rows of the lock table are missing", List.of(inserts.get(2))));
        }
    }

    private static String text(String type, int size) {
        return size == 0 ? type : type + "(" + size + ")";
    }
}

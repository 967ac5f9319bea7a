package io.outboxed.internal.store;

import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Compares the tables of a database with its schema file. */
final class SchemaCheck {
    /** Names under which drivers report the types of the schema files. */
    private static final Map<String, String> ALIASES = Map.ofEntries(
            Map.entry("INT8", "BIGINT"),
            Map.entry("BIGSERIAL", "BIGINT"),
            Map.entry("INT4", "INTEGER"),
            Map.entry("INT", "INTEGER"),
            Map.entry("INT2", "SMALLINT"),
            Map.entry("VARCHAR", "CHARACTER VARYING"));

    private static final int SHARDS = 64;

    private final DdlScript script;
    private final Sql sql;

    SchemaCheck(DdlScript script, Sql sql) {
        this.script = script;
        this.sql = sql;
    }

    /** @param ddl what mends it */
    record Finding(String problem, String ddl) {}

    private record Actual(String type, int size) {}

    List<Finding> findings(Jdbc jdbc) throws SQLException {
        Catalog catalog = new Catalog(jdbc);
        List<Finding> findings = new ArrayList<>();
        for (DdlScript.Table table : script.tables()) {
            if (catalog.has(table.name())) {
                compareColumns(catalog, table, findings);
                compareKeys(catalog, table, findings);
            } else {
                findings.add(new Finding("table " + table.name() + " is missing", table.ddl()));
                table.indexes().stream()
                        .filter(index -> !table.ddl().contains(index.name()))
                        .forEach(index -> findings.add(missing(index)));
            }
        }
        if (findings.isEmpty()) {
            checkRows(jdbc, findings);
        }
        return findings;
    }

    private void compareColumns(Catalog catalog, DdlScript.Table table, List<Finding> findings) throws SQLException {
        Map<String, Actual> actual = catalog.columns(table.name());
        for (DdlScript.Column column : table.columns()) {
            Actual found = actual.get(column.name());
            if (found == null) {
                findings.add(new Finding(
                        "column " + table.name() + "." + column.name() + " is missing",
                        "ALTER TABLE " + table.name() + " ADD COLUMN " + column.definition()));
            } else if (!canonical(column.type()).equals(found.type()) || found.size() < column.size()) {
                findings.add(new Finding(
                        "column " + table.name() + "." + column.name() + " is " + text(found.type(), found.size())
                                + ", expected " + text(canonical(column.type()), column.size()),
                        sql.changeType(table.name(), column)));
            }
        }
    }

    private static void compareKeys(Catalog catalog, DdlScript.Table table, List<Finding> findings)
            throws SQLException {
        List<String> primaryKey = catalog.primaryKey(table.name());
        if (!table.columns().isEmpty() && !table.primaryKey().equals(primaryKey)) {
            String columns = String.join(", ", table.primaryKey());
            findings.add(new Finding(
                    "primary key of " + table.name() + " is (" + String.join(", ", primaryKey) + "), expected ("
                            + columns + ")",
                    "ALTER TABLE " + table.name() + " ADD PRIMARY KEY (" + columns + ")"));
        }
        List<List<String>> indexes = catalog.indexes(table.name());
        for (DdlScript.Index index : table.indexes()) {
            if (!indexes.contains(index.columns())) {
                findings.add(missing(index));
            }
        }
    }

    private static Finding missing(DdlScript.Index index) {
        return new Finding(
                "index on " + index.table() + " (" + String.join(", ", index.columns()) + ") is missing", index.ddl());
    }

    private void checkRows(Jdbc jdbc, List<Finding> findings) throws SQLException {
        List<String> inserts = script.statements().stream()
                .filter(statement -> statement.startsWith("INSERT"))
                .toList();
        boolean numbers = jdbc.exists(sql.meta, "registry")
                && jdbc.exists(sql.meta, "schema")
                && jdbc.exists(sql.meta, "shards")
                && jdbc.exists(sql.meta, "probe");
        if (!numbers) {
            findings.add(new Finding("rows of the meta table are missing", inserts.get(0)));
        }
        if (jdbc.list(sql.shards, row -> row.getInt("shard")).size() < SHARDS) {
            findings.add(new Finding("rows of the shard table are missing", inserts.get(1)));
        }
    }

    private static String canonical(String type) {
        String upper = type.toUpperCase(Locale.ROOT);
        return ALIASES.getOrDefault(upper, upper);
    }

    private static String text(String type, int size) {
        return size == 0 ? type : type + "(" + size + ")";
    }

    /** The driver's view of the connection's own schema; names in lower case. */
    private static final class Catalog {
        private final DatabaseMetaData database;
        private final String catalog;
        private final String schema;

        Catalog(Jdbc jdbc) throws SQLException {
            this.database = jdbc.connection().getMetaData();
            this.catalog = jdbc.connection().getCatalog();
            this.schema =
                    jdbc.dialect().isMySqlFamily() ? null : jdbc.connection().getSchema();
        }

        boolean has(String table) throws SQLException {
            try (ResultSet rows = database.getTables(catalog, schema, stored(table), null)) {
                while (rows.next()) {
                    if (table.equalsIgnoreCase(rows.getString("TABLE_NAME"))) {
                        return true;
                    }
                }
                return false;
            }
        }

        Map<String, Actual> columns(String table) throws SQLException {
            Map<String, Actual> columns = new HashMap<>();
            try (ResultSet rows = database.getColumns(catalog, schema, stored(table), null)) {
                while (rows.next()) {
                    if (table.equalsIgnoreCase(rows.getString("TABLE_NAME"))) {
                        columns.put(
                                lower(rows.getString("COLUMN_NAME")),
                                new Actual(canonical(rows.getString("TYPE_NAME")), rows.getInt("COLUMN_SIZE")));
                    }
                }
            }
            return columns;
        }

        List<String> primaryKey(String table) throws SQLException {
            Map<Integer, String> columns = new TreeMap<>();
            try (ResultSet rows = database.getPrimaryKeys(catalog, schema, stored(table))) {
                while (rows.next()) {
                    columns.put(rows.getInt("KEY_SEQ"), lower(rows.getString("COLUMN_NAME")));
                }
            }
            return List.copyOf(columns.values());
        }

        List<List<String>> indexes(String table) throws SQLException {
            Map<String, List<String>> indexes = new HashMap<>();
            try (ResultSet rows = database.getIndexInfo(catalog, schema, stored(table), false, true)) {
                while (rows.next()) {
                    if (rows.getString("COLUMN_NAME") != null) {
                        indexes.computeIfAbsent(rows.getString("INDEX_NAME"), name -> new ArrayList<>())
                                .add(lower(rows.getString("COLUMN_NAME")));
                    }
                }
            }
            return List.copyOf(indexes.values());
        }

        private String stored(String table) throws SQLException {
            if (database.storesUpperCaseIdentifiers()) {
                return table.toUpperCase(Locale.ROOT);
            }
            return database.storesLowerCaseIdentifiers() ? lower(table) : table;
        }

        private static String lower(String name) {
            return name.toLowerCase(Locale.ROOT);
        }
    }
}

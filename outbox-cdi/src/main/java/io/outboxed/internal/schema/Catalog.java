package io.outboxed.internal.schema;

import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.database.QualifiedName;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The actual tables of a schema. Columns are found under the names that the schema file has for them. */
final class Catalog {
    /** Drivers report the types of the schema files under these names. */
    private static final Map<String, String> ALIASES = Map.ofEntries(
            Map.entry("INT8", "BIGINT"),
            Map.entry("BIGSERIAL", "BIGINT"),
            Map.entry("INT4", "INTEGER"),
            Map.entry("SERIAL", "INTEGER"),
            Map.entry("INT", "INTEGER"),
            Map.entry("INT2", "SMALLINT"),
            Map.entry("VARCHAR", "CHARACTER VARYING"));

    private final Jdbc jdbc;
    private final SchemaSql sql;
    private final DatabaseMetaData database;
    private final String catalog;
    /** Null on MySQL and MariaDB, which call it a catalog. Not used on PostgreSQL, where each table may have another. */
    private final String schema;

    /** @param schema null for the connection's own */
    Catalog(Jdbc jdbc, String schema) throws SQLException {
        this.jdbc = jdbc;
        this.sql = new SchemaSql(jdbc.dialect(), schema);
        this.database = jdbc.connection().getMetaData();
        if (jdbc.dialect().isMySqlFamily()) {
            this.catalog = schema == null ? jdbc.connection().getCatalog() : schema;
            this.schema = null;
        } else {
            this.catalog = jdbc.connection().getCatalog();
            this.schema = schema == null ? jdbc.connection().getSchema() : cased(schema);
        }
    }

    /**
     * @param name as stored
     * @param defaultValue null for none
     * @param fraction fractional digits of a time's seconds
     * @param touched MySQL: set anew by each update of the row
     * @param textOrder MySQL: the collation; PostgreSQL: one that treats different texts as equal
     */
    record Column(
            String name,
            String type,
            int size,
            boolean nullable,
            String defaultValue,
            int fraction,
            boolean identity,
            boolean computed,
            boolean touched,
            String textOrder,
            String fullType) {}

    /**
     * @param name as stored
     * @param columns a question mark stands for a part of a column, or for an expression
     */
    record Index(String name, List<String> columns, boolean unique, boolean usable, String condition) {}

    /** @param constraint its name; null if there is no primary key */
    record PrimaryKey(String constraint, List<String> columns) {}

    boolean has(String table) throws SQLException {
        if (jdbc.dialect() == Dialect.POSTGRESQL) {
            return found(table).isPresent();
        }
        try (ResultSet rows = database.getTables(catalog, schema, cased(name(table)), null)) {
            while (rows.next()) {
                if (isOf(schema, table, rows)) {
                    return true;
                }
            }
            return false;
        }
    }

    private String schema(String table) throws SQLException {
        return jdbc.dialect() == Dialect.POSTGRESQL ? found(table).orElse("") : schema;
    }

    /** PostgreSQL: the schema in which statements find it along the search path, which need not be the path's first. */
    private Optional<String> found(String table) throws SQLException {
        return jdbc.first(SchemaSql.SCHEMA_OF, row -> row.getString("schema_name"), table);
    }

    /**
     * As in statements.
     *
     * @param hasTables where the search path finds tables
     * @param getsTables where a table without a schema in its name would be created
     */
    record Schemas(String hasTables, String getsTables) {}

    /** PostgreSQL: if all of these tables that there are have the same schema, and a new one would get another. */
    Optional<Schemas> otherSchema(List<String> tables) throws SQLException {
        List<Schemas> found = jdbc.list(
                SchemaSql.SCHEMAS_OF,
                row -> new Schemas(row.getString("has_tables"), row.getString("gets_tables")),
                String.join(",", tables));
        return found.size() == 1
                        && !found.get(0).hasTables().equals(found.get(0).getsTables())
                ? Optional.of(found.get(0))
                : Optional.empty();
    }

    /** A low line in a pattern stands for any character. */
    private static boolean isOf(String schema, String table, ResultSet row) throws SQLException {
        return name(table).equalsIgnoreCase(row.getString("TABLE_NAME"))
                && (schema == null || schema.equals(row.getString("TABLE_SCHEM")));
    }

    Map<String, Column> columns(String table) throws SQLException {
        Map<String, TypeAndSize> types = types(table);
        Map<String, Column> columns = new LinkedHashMap<>();
        jdbc.list(
                sql.columns(),
                row -> {
                    String name = row.getString("name");
                    String key = key(name);
                    // a column that was added in between is found by the next check
                    TypeAndSize type = types.getOrDefault(key, new TypeAndSize("", 0));
                    return columns.put(
                            key,
                            new Column(
                                    name,
                                    type.type(),
                                    type.size(),
                                    "YES".equals(row.getString("nullable")),
                                    row.getString("default_value"),
                                    row.getInt("fraction"),
                                    row.getBoolean("numbered"),
                                    row.getBoolean("computed"),
                                    row.getBoolean("touched"),
                                    row.getString("text_order"),
                                    row.getString("full_type")));
                },
                stored(table));
        return columns;
    }

    private record TypeAndSize(String type, int size) {}

    private Map<String, TypeAndSize> types(String table) throws SQLException {
        Map<String, TypeAndSize> types = new LinkedHashMap<>();
        String schema = schema(table);
        try (ResultSet rows = database.getColumns(catalog, schema, cased(name(table)), null)) {
            while (rows.next()) {
                if (isOf(schema, table, rows)) {
                    types.put(
                            key(rows.getString("COLUMN_NAME")),
                            new TypeAndSize(canonical(rows.getString("TYPE_NAME")), rows.getInt("COLUMN_SIZE")));
                }
            }
        }
        return types;
    }

    PrimaryKey primaryKey(String table) throws SQLException {
        String constraint = null;
        Map<Integer, String> columns = new TreeMap<>();
        try (ResultSet rows = database.getPrimaryKeys(catalog, schema(table), cased(name(table)))) {
            while (rows.next()) {
                constraint = rows.getString("PK_NAME");
                columns.put(rows.getInt("KEY_SEQ"), key(rows.getString("COLUMN_NAME")));
            }
        }
        return new PrimaryKey(constraint, shortenedParts(table, List.copyOf(columns.values())));
    }

    /** Marks key columns that are indexed only by a prefix, because a prefix does not identify a row. */
    private List<String> shortenedParts(String table, List<String> columns) throws SQLException {
        if (!jdbc.dialect().isMySqlFamily()) {
            return columns;
        }
        List<String> shortened = jdbc.list(sql.shortenedKey(), row -> lower(row.getString("part")), stored(table));
        return columns.stream()
                .map(column -> shortened.contains(column) ? "the beginning of " + column : column)
                .toList();
    }

    /** All indexes except that of the primary key. */
    List<Index> indexes(String table) throws SQLException {
        Map<String, Index> indexes = new LinkedHashMap<>();
        jdbc.list(
                sql.indexes(),
                row -> {
                    Index index = new Index(
                            row.getString("name"),
                            new ArrayList<>(),
                            row.getBoolean("is_unique"),
                            row.getBoolean("usable"),
                            row.getString("predicate"));
                    String part = row.getString("part");
                    indexes.computeIfAbsent(index.name(), name -> index)
                            .columns()
                            .add(part == null ? "?" : key(part));
                    return index;
                },
                stored(table));
        return List.copyOf(indexes.values());
    }

    /**
     * An index of another table, as in statements.
     *
     * @param index with its schema
     * @param table its table
     * @param free another name that it can get
     */
    record TakenName(String index, String table, String free) {}

    /** PostgreSQL: an index's name is unique in its schema, and a renamed table's indexes keep theirs. */
    Optional<TakenName> takenName(DdlScript.Index wanted) throws SQLException {
        if (jdbc.dialect() != Dialect.POSTGRESQL) {
            return Optional.empty();
        }
        return jdbc.first(
                sql.takenName(),
                row -> new TakenName(row.getString("index_name"), row.getString("table_name"), row.getString("free")),
                wanted.name(),
                name(wanted.table()),
                wanted.table());
    }

    String engine(String table) throws SQLException {
        return jdbc.first(sql.engine(), row -> row.getString("engine"), stored(table))
                .orElse("");
    }

    /** PostgreSQL: whether a crash of the database leaves it empty. */
    boolean isUnlogged(String table) throws SQLException {
        return jdbc.exists(SchemaSql.IS_UNLOGGED, table);
    }

    /** MySQL, MariaDB: whether a row beyond its last partition would be refused. */
    boolean lacksTail(String table) throws SQLException {
        return jdbc.exists(sql.lacksTail(), stored(table));
    }

    boolean isPartition(String partition, String table) throws SQLException {
        return jdbc.exists(SchemaSql.IS_PARTITION, partition, table);
    }

    static String canonical(String type) {
        String upper = type.toUpperCase(Locale.ROOT);
        return ALIASES.getOrDefault(upper, upper);
    }

    /** As the queries expect it. */
    private String stored(String table) throws SQLException {
        return jdbc.dialect() == Dialect.POSTGRESQL ? table : cased(name(table));
    }

    private static String name(String table) {
        return QualifiedName.of(table).name();
    }

    private String cased(String name) throws SQLException {
        if (database.storesUpperCaseIdentifiers()) {
            return name.toUpperCase(Locale.ROOT);
        }
        return database.storesLowerCaseIdentifiers() ? lower(name) : name;
    }

    /** PostgreSQL keeps the case of a quoted name, and a name in capitals is another one than ours. */
    private String key(String name) {
        return jdbc.dialect() == Dialect.POSTGRESQL ? name : lower(name);
    }

    boolean isSame(String stored, String ours) {
        return key(stored).equals(lower(ours));
    }

    private static String lower(String name) {
        return name.toLowerCase(Locale.ROOT);
    }
}

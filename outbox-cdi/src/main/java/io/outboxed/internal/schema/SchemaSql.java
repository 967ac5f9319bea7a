package io.outboxed.internal.schema;

import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.QualifiedName;
import io.outboxed.internal.store.sql.Sql;
import java.util.List;
import java.util.Locale;

/**
 * Queries for the structure of the tables and the statements that change it. Separate from {@link Sql}, because only
 * the check needs them.
 */
public final class SchemaSql {
    private static final String BINARY_TEXT = " CHARACTER SET utf8mb4 COLLATE utf8mb4_bin";

    private final Dialect dialect;
    /** A condition, to be used as table_schema. */
    private final String ofSchema;
    /** Null for the connection's own. */
    private final String schema;

    /** @param schema of the tables; null for the connection's own */
    SchemaSql(Dialect dialect, String schema) {
        this.dialect = dialect;
        this.schema = schema;
        boolean isH2 = dialect == Dialect.H2;
        if (schema == null) {
            this.ofSchema = "table_schema = " + (isH2 ? "CURRENT_SCHEMA" : "DATABASE()");
        } else {
            this.ofSchema = (isH2 ? "LOWER(table_schema)" : "table_schema") + " = '" + schema + "'";
        }
    }

    // ---- queries; the parameter is the table: its name as stored in the catalog, on PostgreSQL as in statements ----

    /** name, nullable, default_value, fraction, numbered, computed, touched, text_order, full_type */
    String columns() {
        return switch (dialect) {
            case MYSQL, MARIADB ->
                "SELECT column_name AS name, is_nullable AS nullable, column_default AS default_value,"
                        + " datetime_precision AS fraction, extra LIKE '%auto_increment%' AS numbered,"
                        + " extra LIKE '%GENERATED' AS computed, LOWER(extra) LIKE '%on update%' AS touched, collation_name AS text_order, column_type AS full_type"
                        + " FROM information_schema.columns WHERE " + ofSchema + " AND table_name = ?";
            case POSTGRESQL ->
                "SELECT a.attname AS name, CASE WHEN a.attnotnull THEN 'NO' ELSE 'YES' END AS nullable,"
                        + " pg_get_expr(d.adbin, d.adrelid) AS default_value,"
                        + " CASE WHEN a.atttypmod < 0 THEN 6 ELSE a.atttypmod END AS fraction,"
                        + " a.attidentity <> '' OR COALESCE(pg_get_expr(d.adbin, d.adrelid), '') LIKE 'nextval(%'"
                        + " AS numbered, a.attgenerated <> '' AS computed, FALSE AS touched,"
                        + " CASE WHEN NOT c.collisdeterministic THEN c.collname END AS text_order,"
                        + " format_type(a.atttypid, a.atttypmod) AS full_type FROM pg_attribute a"
                        + " LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum"
                        + " LEFT JOIN pg_collation c ON c.oid = a.attcollation"
                        + " WHERE a.attrelid = to_regclass(?) AND a.attnum > 0 AND NOT a.attisdropped";
            case H2 ->
                "SELECT column_name AS name, is_nullable AS nullable, column_default AS default_value,"
                        + " datetime_precision AS fraction, is_identity = 'YES' AS numbered,"
                        + " is_generated = 'ALWAYS' AS computed, FALSE AS touched, CAST(NULL AS VARCHAR) AS text_order,"
                        + " data_type AS full_type FROM information_schema.columns"
                        + " WHERE " + ofSchema + " AND table_name = ?";
        };
    }

    /**
     * name, part (null for an expression or a part of a column), is_unique, usable, condition; in the order of the
     * parts
     */
    String indexes() {
        return switch (dialect) {
            case MYSQL -> mySqlIndexes("is_visible = 'YES'");
            case MARIADB -> mySqlIndexes("ignored = 'NO'");
            case POSTGRESQL ->
                "SELECT i.relname AS name, a.attname AS part, x.indisunique AS is_unique, x.indisvalid AS usable,"
                        + " pg_get_expr(x.indpred, x.indrelid) AS predicate FROM pg_index x"
                        + " JOIN pg_class i ON i.oid = x.indexrelid"
                        + " CROSS JOIN LATERAL unnest(x.indkey) WITH ORDINALITY k(attnum, n)"
                        + " LEFT JOIN pg_attribute a ON a.attrelid = x.indrelid AND a.attnum = k.attnum"
                        + " WHERE x.indrelid = to_regclass(?) AND NOT x.indisprimary AND k.n <= x.indnkeyatts"
                        + " ORDER BY i.relname, k.n";
            case H2 ->
                "SELECT c.index_name AS name, c.column_name AS part, c.is_unique AS is_unique, TRUE AS usable,"
                        + " CAST(NULL AS VARCHAR) AS predicate FROM information_schema.index_columns c"
                        + " JOIN information_schema.indexes i ON i.index_schema = c.index_schema"
                        + " AND i.index_name = c.index_name WHERE " + ofSchema.replace("table_schema", "c.table_schema")
                        + " AND c.table_name = ?"
                        + " AND i.index_type_name <> 'PRIMARY KEY' ORDER BY c.index_name, c.ordinal_position";
        };
    }

    private String mySqlIndexes(String usable) {
        return "SELECT index_name AS name, CASE WHEN sub_part IS NULL THEN column_name END AS part,"
                + " non_unique = 0 AS is_unique, " + usable + " AS usable, NULL AS predicate"
                + " FROM information_schema.statistics WHERE " + ofSchema + " AND table_name = ?"
                + " AND index_name <> 'PRIMARY' ORDER BY index_name, seq_in_index";
    }

    /**
     * An index of this name of another table than this one, where this one is or would be: its name, the table's name,
     * the table. Names are compared, since to_regclass reads a cache that may be older than the
     * statement's snapshot: a table that another node has just created would be another one.
     */
    String takenName() {
        String target = schema == null ? "quote_ident(current_schema())" : "'" + schema + "'";
        return "SELECT format('%I.%I', n.nspname, i.relname) AS index_name, CAST(x.indrelid AS regclass) AS table_name,"
                + " (SELECT quote_ident(f.name) FROM generate_series(1, 99) AS k (k)"
                + " CROSS JOIN LATERAL (SELECT left(i.relname, 55) || '_old' || COALESCE(CAST(NULLIF(k.k, 1) AS TEXT), '')"
                + " AS name) f WHERE NOT EXISTS (SELECT 1 FROM pg_class c WHERE c.relnamespace = i.relnamespace"
                + " AND c.relname = f.name) ORDER BY k.k LIMIT 1) AS free FROM pg_class i"
                + " JOIN pg_index x ON x.indexrelid = i.oid JOIN pg_class t ON t.oid = x.indrelid"
                + " JOIN pg_namespace n ON n.oid = i.relnamespace WHERE i.relname = LOWER(?) AND t.relname <> LOWER(?)"
                + " AND i.relnamespace = COALESCE((SELECT c.relnamespace FROM pg_class c WHERE c.oid = to_regclass(?)),"
                + " CAST(to_regnamespace(" + target + ") AS oid))";
    }

    /** Columns of the primary key that are indexed only by a prefix (MySQL). */
    String shortenedKey() {
        return "SELECT column_name AS part FROM information_schema.statistics WHERE " + ofSchema
                + " AND table_name = ? AND index_name = 'PRIMARY' AND sub_part IS NOT NULL";
    }

    String engine() {
        return "SELECT engine FROM information_schema.tables WHERE " + ofSchema + " AND table_name = ?";
    }

    /** MySQL, MariaDB: whether the table is partitioned by ranges, none of which takes what is beyond the others. */
    String lacksTail() {
        return "SELECT 1 AS found FROM information_schema.partitions WHERE " + ofSchema + " AND table_name = ?"
                + " AND partition_method LIKE 'RANGE%'"
                + " HAVING SUM(partition_description LIKE 'MAXVALUE%') = 0";
    }

    static final String SCHEMA_OF =
            "SELECT n.nspname AS schema_name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
                    + " WHERE c.oid = to_regclass(?)";

    /** The schemas of those of these tables that there are, and where a new one would be created; separated by commas. */
    static final String SCHEMAS_OF = "SELECT DISTINCT quote_ident(n.nspname) AS has_tables,"
            + " quote_ident(current_schema()) AS gets_tables FROM unnest(string_to_array(?, ',')) AS t (name)"
            + " JOIN pg_class c ON c.oid = to_regclass(t.name) JOIN pg_namespace n ON n.oid = c.relnamespace";

    static final String IS_UNLOGGED =
            "SELECT 1 AS found FROM pg_class WHERE oid = to_regclass(?) AND relpersistence <> 'p'";

    static final String IS_PARTITION =
            "SELECT 1 AS found FROM pg_inherits WHERE inhrelid = to_regclass(?) AND inhparent = to_regclass(?)";

    // ---- statements that fix differences ----

    /** MySQL accepts an auto-increment column only together with its key. */
    String addColumn(DdlScript.Table table, DdlScript.Column column, boolean hasKey) {
        String add = " ADD COLUMN " + definition(column);
        if (!bringsKey(column)) {
            return "ALTER TABLE " + table.name() + add;
        }
        return "ALTER TABLE " + table.name() + (hasKey ? " DROP PRIMARY KEY," : "") + add + ", ADD PRIMARY KEY ("
                + String.join(", ", table.primaryKey()) + ")";
    }

    boolean bringsKey(DdlScript.Column column) {
        return dialect.isMySqlFamily() && column.isIdentity();
    }

    List<String> changeType(String table, DdlScript.Column column) {
        String size = column.size() == 0 ? "" : "(" + column.size() + ")";
        return switch (dialect) {
            case MYSQL, MARIADB -> List.of(modify(table, column));
            case POSTGRESQL -> {
                String type = column.type() + size;
                String order = column.isText() ? " COLLATE \"default\"" : "";
                yield List.of(alter(table, column) + " TYPE " + type + order + " USING CAST(" + column.name() + " AS "
                        + type + ")");
            }
            case H2 -> {
                String fraction = column.isTime() ? column.type().replace("TIMESTAMP", "TIMESTAMP(6)") : column.type();
                yield List.of(alter(table, column) + " SET DATA TYPE " + fraction + size);
            }
        };
    }

    List<String> changeNullability(String table, DdlScript.Column column) {
        return dialect.isMySqlFamily()
                ? List.of(modify(table, column))
                : List.of(alter(table, column) + (column.isNullable() ? " DROP NOT NULL" : " SET NOT NULL"));
    }

    List<String> changeDefault(String table, DdlScript.Column column) {
        return dialect.isMySqlFamily()
                ? List.of(modify(table, column))
                : List.of(alter(table, column) + " SET DEFAULT " + column.defaultValue());
    }

    /** The numbers continue after the highest existing one. */
    List<String> makeIdentity(String table, DdlScript.Column column) {
        String next = "(SELECT COALESCE(MAX(" + column.name() + "), 0) + 1 FROM " + table + ")";
        return switch (dialect) {
            case MYSQL, MARIADB -> List.of(modify(table, column));
            case POSTGRESQL ->
                List.of(
                        alter(table, column) + " DROP DEFAULT",
                        alter(table, column) + " SET NOT NULL",
                        alter(table, column) + " ADD GENERATED BY DEFAULT AS IDENTITY",
                        "SELECT setval(pg_get_serial_sequence('" + table + "', '" + column.name() + "'), " + next
                                + ", false)");
            case H2 ->
                List.of(
                        alter(table, column) + " SET GENERATED BY DEFAULT",
                        alter(table, column) + " RESTART WITH " + next);
        };
    }

    /**
     * For a column that is not part of the schema.
     *
     * @param column as stored
     * @param fullType as written by the database
     */
    String allowNull(String table, String column, String fullType) {
        return "ALTER TABLE " + table
                + (dialect.isMySqlFamily()
                        ? " MODIFY " + quoted(column) + " " + fullType + " NULL"
                        : " ALTER COLUMN " + quoted(column) + " DROP NOT NULL");
    }

    /** @param constraint of the existing key; null for none */
    List<String> changePrimaryKey(String table, List<String> columns, String constraint) {
        String add = "ADD PRIMARY KEY (" + String.join(", ", columns) + ")";
        if (constraint == null) {
            return List.of("ALTER TABLE " + table + " " + add);
        }
        return switch (dialect) {
            case MYSQL, MARIADB -> List.of("ALTER TABLE " + table + " DROP PRIMARY KEY, " + add);
            case POSTGRESQL -> List.of("ALTER TABLE " + table + " DROP CONSTRAINT " + quoted(constraint) + ", " + add);
            case H2 -> List.of("ALTER TABLE " + table + " DROP PRIMARY KEY", "ALTER TABLE " + table + " " + add);
        };
    }

    /** @param index as in statements */
    List<String> dropIndex(String table, String index) {
        String qualified = QualifiedName.of(table).beside(index);
        return switch (dialect) {
            case MYSQL, MARIADB -> List.of("DROP INDEX " + index + " ON " + table);
            // a unique index may belong to a constraint
            case POSTGRESQL ->
                List.of(
                        "ALTER TABLE " + table + " DROP CONSTRAINT IF EXISTS " + index,
                        "DROP INDEX IF EXISTS " + qualified);
            case H2 -> List.of("DROP INDEX " + qualified);
        };
    }

    /** The only name of an object that is not ours, and may have capitals or be a word of the language. */
    String quoted(String stored) {
        String quote = dialect.isMySqlFamily() ? "`" : "\"";
        return quote + stored.replace(quote, quote + quote) + quote;
    }

    /** For a person: H2 stores names in capitals unless they were quoted. */
    String shown(String stored) {
        boolean folded = dialect == Dialect.H2 && stored.equals(stored.toUpperCase(Locale.ROOT));
        return folded ? stored.toLowerCase(Locale.ROOT) : stored;
    }

    static String rename(Catalog.TakenName index) {
        return "ALTER INDEX " + index.index() + " RENAME TO " + index.free();
    }

    static String createIn(String schema) {
        return "SET search_path = " + schema;
    }

    static String changeEngine(String table) {
        return "ALTER TABLE " + table + " ENGINE=InnoDB";
    }

    static String makeLogged(String table) {
        return "ALTER TABLE " + table + " SET LOGGED";
    }

    static String addTail(String table) {
        return "ALTER TABLE " + table + " ADD PARTITION (PARTITION pmax VALUES LESS THAN MAXVALUE)";
    }

    static String attach(String partition, String table) {
        return "ALTER TABLE " + table + " ATTACH PARTITION " + partition + " DEFAULT";
    }

    private String modify(String table, DdlScript.Column column) {
        return "ALTER TABLE " + table + " MODIFY " + definition(column);
    }

    private static String alter(String table, DdlScript.Column column) {
        return "ALTER TABLE " + table + " ALTER COLUMN " + column.name();
    }

    /** The table's own default character set may differ from the required one. */
    private String definition(DdlScript.Column column) {
        if (!dialect.isMySqlFamily() || !column.isText()) {
            return column.definition();
        }
        String type = column.name() + " " + column.type() + (column.size() == 0 ? "" : "(" + column.size() + ")");
        return type + BINARY_TEXT + column.definition().substring(type.length());
    }
}

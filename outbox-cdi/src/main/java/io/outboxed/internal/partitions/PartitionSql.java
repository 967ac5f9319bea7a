package io.outboxed.internal.partitions;

import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.NamedLock;
import io.outboxed.internal.database.QualifiedName;
import io.outboxed.internal.database.SqlText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Queries for the history's partitions and the statements that change them. */
final class PartitionSql extends SqlText {
    private final QualifiedName name;
    private final String table;
    /** What is copied from one partition to another; empty for all columns. */
    private final Optional<String> columns;

    PartitionSql(Dialect dialect, String prefix) {
        super(dialect, prefix);
        this.table = of("outbox_history");
        this.name = QualifiedName.of(table);
        this.columns = Optional.empty();
    }

    private PartitionSql(PartitionSql found, QualifiedName name, Optional<String> columns) {
        super(found.dialect(), found.prefix());
        this.name = name;
        this.table = name.beside(name.name());
        this.columns = columns;
    }

    /**
     * PostgreSQL: the same with this schema in the names of tables.
     *
     * @param schema as in statements
     */
    PartitionSql in(String schema) {
        return new PartitionSql(this, new QualifiedName(schema, name.name()), columns);
    }

    /**
     * PostgreSQL: the same for a history of which not all columns can be copied.
     *
     * @param copied as {@link #copiedColumns} has found them
     */
    PartitionSql copying(String copied) {
        return new PartitionSql(this, name, Optional.of(copied));
    }

    /**
     * PostgreSQL: the schema of the history, as in statements; no row if a table without a schema in its name would be
     * created there. The parameter is the table.
     */
    final String otherSchema = "SELECT quote_ident(n.nspname) AS found FROM pg_class c"
            + " JOIN pg_namespace n ON n.oid = c.relnamespace"
            + " WHERE c.oid = to_regclass(?) AND n.nspname <> current_schema()";

    /**
     * PostgreSQL: the columns to which values may be written, as in statements; no row if these are all. An operator may
     * have added one that the database computes; the parameter is the table.
     */
    final String copiedColumns = "SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum)"
            + " FILTER (WHERE attgenerated = '') AS copied FROM pg_attribute WHERE attrelid = to_regclass(?)"
            + " AND attnum > 0 AND NOT attisdropped HAVING bool_or(attgenerated <> '')";

    /** As in statements. */
    String table() {
        return table;
    }

    /** As the parameter of queries. */
    String tableInCatalog() {
        return isPostgres() ? table : name.name();
    }

    /** What the tables of partitions are named after, without a schema (PostgreSQL). */
    String partitionPrefix() {
        return name.name() + "_";
    }

    /**
     * One row, whose partition_key is null for a plain table; the parameter is the table. MariaDB quotes names as the
     * session's sql_mode says.
     */
    String key() {
        return isPostgres()
                ? "SELECT pg_get_partkeydef(to_regclass(?)) AS partition_key"
                : "SELECT CONCAT(MIN(partition_method), ' (',"
                        + " REPLACE(REPLACE(MIN(partition_expression), '`', ''), '\"', ''), ')',"
                        + " COALESCE(CONCAT(' with subpartitions by ', MIN(subpartition_method)), '')) AS partition_key FROM information_schema.partitions"
                        + " WHERE table_schema = " + schemaOfTable() + " AND table_name = ?";
    }

    /** name and bound of each partition, and its schema if that is not the table's; the parameter is the table. */
    String partitions() {
        return isPostgres()
                ? "SELECT c.relname AS name, pg_get_expr(c.relpartbound, c.oid) AS bound,"
                        + " NULLIF(c.relnamespace, p.relnamespace)::regnamespace AS other_schema FROM pg_inherits i"
                        + " JOIN pg_class c ON c.oid = i.inhrelid JOIN pg_class p ON p.oid = i.inhparent"
                        + " WHERE i.inhparent = to_regclass(?) ORDER BY c.relname"
                : "SELECT partition_name AS name, partition_description AS bound, NULL AS other_schema"
                        + " FROM information_schema.partitions"
                        + " WHERE table_schema = " + schemaOfTable()
                        + " AND table_name = ? AND partition_name IS NOT NULL"
                        + " ORDER BY partition_ordinal_position";
    }

    /**
     * PostgreSQL: owner of the history, unless the session has made its tables; the parameter is the table. A new owner
     * needs a right to the schema, unless a superuser gives it the table.
     */
    final String otherOwner = "SELECT pg_get_userbyid(relowner) AS owner, relnamespace::regnamespace AS schema_name,"
            + " CASE WHEN has_schema_privilege(relowner, relnamespace, 'CREATE')"
            + " OR (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN 1 ELSE 0 END AS may_be_given"
            + " FROM pg_class WHERE oid = to_regclass(?) AND pg_get_userbyid(relowner) <> current_user";

    // ---- rights ----

    /** No partition has such a name. */
    private static final String NONE = "outboxed_none";

    String touchByReading() {
        return "SELECT seq FROM " + table + " WHERE 1 = 0";
    }

    /** MySQL, MariaDB: always fails, and earlier without the right to ALTER. */
    String touchByReorganizing() {
        return "ALTER TABLE " + table + " REORGANIZE PARTITION " + NONE + " INTO (PARTITION " + NONE
                + " VALUES LESS THAN MAXVALUE)";
    }

    /** MySQL, MariaDB: always fails, and earlier without the rights to ALTER and DROP. */
    String touchByDropping() {
        return "ALTER TABLE " + table + " DROP PARTITION " + NONE;
    }

    /** PostgreSQL: roles that own the history or a partition, and whose rights the session lacks; twice the table. */
    final String foreignOwners = "SELECT DISTINCT pg_get_userbyid(relowner) AS owner FROM pg_class"
            + " WHERE (oid = to_regclass(?)"
            + " OR oid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = to_regclass(?)))"
            + " AND NOT pg_has_role(relowner, 'USAGE') ORDER BY owner";

    /** PostgreSQL: the schema of the history, if the session may create no table in it; the parameter is the table. */
    final String lockedSchema = "SELECT relnamespace::regnamespace AS schema_name FROM pg_class"
            + " WHERE oid = to_regclass(?) AND NOT has_schema_privilege(relnamespace, 'CREATE')";

    /** Rows found, and the bytes of their payloads where these matter; the parameter is the number of rows at most. */
    String countTail(String tail) {
        String rows = isPostgres()
                ? "0 AS bytes FROM " + tail(tail)
                : "payload_size AS bytes FROM " + table + " PARTITION (" + quoted(tail) + ")";
        return "SELECT COUNT(*) AS found, COALESCE(SUM(bytes), 0) AS bytes FROM (SELECT " + rows + " LIMIT ?) t";
    }

    /** PostgreSQL: the parameters are the first time and the one after the last. */
    String rowOfTail(String tail) {
        return "SELECT 1 AS found FROM " + tail(tail) + " WHERE processed_at >= ? AND processed_at < ? LIMIT 1";
    }

    // ---- one maintainer at a time ----

    String lock() {
        return new NamedLock(this, "outbox_history").tryLock();
    }

    String unlock() {
        return new NamedLock(this, "outbox_history").unlock();
    }

    /** MySQL, MariaDB. */
    private String schemaOfTable() {
        return name.schema() == null ? "DATABASE()" : "'" + name.schema() + "'";
    }

    // ---- settings of the session ----

    /** How long a transaction may be open while the session does nothing (PostgreSQL). */
    static final String IDLE_IN_CHANGE_LIMIT = "idle_in_transaction_session_timeout";

    /**
     * How long a transaction may take, from PostgreSQL 17 on, and how long a query may take on MySQL. An administrator may
     * have set it for the server or for the account.
     */
    String conversionLimit() {
        return isPostgres() ? "transaction_timeout" : "max_execution_time";
    }

    /** How long the session may do nothing. PostgreSQL has this from version 14 on. */
    String idleLimit() {
        return isPostgres() ? "idle_session_timeout" : "wait_timeout";
    }

    /** How long a statement may take. MySQL limits only queries. */
    String statementLimit() {
        return isPostgres() ? "statement_timeout" : "max_statement_time";
    }

    /** How long a change waits for its lock. */
    String lockWait() {
        return isPostgres() ? "lock_timeout" : "lock_wait_timeout";
    }

    /** Null if the server does not have it. */
    String valueOf(String setting) {
        return isPostgres()
                ? "SELECT current_setting('" + setting + "', TRUE) AS found"
                : "SELECT @@SESSION." + setting + " AS found";
    }

    String set(String setting, String value) {
        return isPostgres() ? "SET " + setting + " = '" + value + "'" : "SET SESSION " + setting + " = " + value;
    }

    String value(Duration time) {
        return isPostgres() ? time.toMillis() + "ms" : String.valueOf(time.toSeconds());
    }

    // ---- changes: each list is one transaction ----

    /** MySQL, MariaDB: splits the tail, whose rows are copied. */
    List<String> splitTail(String tail, List<HistoryPartition> added) {
        return List.of("ALTER TABLE " + table + " REORGANIZE PARTITION " + quoted(tail) + " INTO ("
                + before(quoted(tail), added) + ")");
    }

    /** MySQL, MariaDB: partitions a table anew, whose rows are copied. */
    String partitionBy(List<HistoryPartition> partitions) {
        return "ALTER TABLE " + table + " PARTITION BY RANGE (processed_at) (" + before("pmax", partitions) + ")";
    }

    private static String before(String tail, List<HistoryPartition> partitions) {
        return partitions.stream()
                .map(each -> "PARTITION " + each.name() + " VALUES LESS THAN (" + each.to() + "), ")
                .collect(Collectors.joining("", "", "PARTITION " + tail + " VALUES LESS THAN MAXVALUE"));
    }

    /**
     * PostgreSQL: {@link #attach} for a partition whose period has begun or is about to begin. Without the lock, a row of
     * that period that PostgreSQL has already routed to the tail would wait there, and be refused after the commit
     * because it now belongs to the new partition. The lock makes writers wait before their rows are routed. A weaker
     * lock, which lets readers pass, would deadlock with a transaction that has read the history and then writes to it.
     */
    List<String> attachCurrent(String tail, HistoryPartition added, Optional<HistoryOwner> owner) {
        List<String> statements = new ArrayList<>(List.of("LOCK TABLE ONLY " + table + " IN ACCESS EXCLUSIVE MODE"));
        statements.addAll(attach(tail, added, owner));
        return statements;
    }

    /**
     * PostgreSQL: rows of a partition's time must not be in the tail. The lock comes first, because otherwise a row
     * could be added between the move and the end. To attach a table needs a weaker lock on the history than to create
     * a partition.
     *
     * @param owner gets the new table, if there is one
     */
    List<String> attach(String tail, HistoryPartition added, Optional<HistoryOwner> owner) {
        String part = partition(added);
        String rows = " WHERE "
                + (added.from() == HistoryPartition.BEGINNING ? "" : "processed_at >= " + added.from() + " AND ")
                + "processed_at < " + added.to();
        List<String> statements = new ArrayList<>(List.of(
                "LOCK TABLE " + tail(tail) + " IN ACCESS EXCLUSIVE MODE",
                "CREATE TABLE " + part + " (LIKE " + table
                        + " INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING GENERATED)",
                "INSERT INTO " + part + columns.map(some -> " (" + some + ")").orElse("") + " SELECT "
                        + columns.orElse("*") + " FROM " + table + rows,
                "DELETE FROM " + tail(tail) + rows,
                attachTo(part, added)));
        owner.ifPresent(other -> statements.add(giveTo(part, other)));
        return statements;
    }

    /**
     * PostgreSQL: the tail becomes the first partition with all its rows, and there is a new tail.
     *
     * @param owner gets the new table, if there is one
     */
    List<String> replaceTail(String tail, HistoryPartition first, Optional<HistoryOwner> owner) {
        String part = partition(first);
        List<String> statements = new ArrayList<>(List.of(
                "ALTER TABLE " + table + " DETACH PARTITION " + tail(tail),
                "ALTER TABLE " + tail(tail) + " RENAME TO " + partitionPrefix() + first.name(),
                attachTo(part, first),
                "CREATE TABLE " + tail(tail) + " PARTITION OF " + table + " DEFAULT"));
        owner.ifPresent(other -> statements.add(giveTo(tail(tail), other)));
        return statements;
    }

    private String giveTo(String part, HistoryOwner owner) {
        return "ALTER TABLE " + part + " OWNER TO " + role(owner.role());
    }

    /** Always in quotes: "user" is a role, and without them a word of SQL. */
    String role(String name) {
        return inQuotes(name);
    }

    private String attachTo(String part, HistoryPartition added) {
        String from = added.from() == HistoryPartition.BEGINNING ? "MINVALUE" : String.valueOf(added.from());
        return "ALTER TABLE " + table + " ATTACH PARTITION " + part + " FOR VALUES FROM (" + from + ") TO ("
                + added.to() + ")";
    }

    /** PostgreSQL: fails if an operator has detached the partition since it was found, because the table is theirs. */
    List<String> drop(HistoryPartition old) {
        return isPostgres()
                ? List.of(
                        "ALTER TABLE " + table + " DETACH PARTITION " + partition(old), "DROP TABLE " + partition(old))
                : List.of("ALTER TABLE " + table + " DROP PARTITION " + old.name());
    }

    private String partition(HistoryPartition partition) {
        return table + "_" + partition.name();
    }

    /** PostgreSQL: a table, in the schema of the history. */
    private String tail(String tail) {
        return name.beside(quoted(tail));
    }

    /** The tail may have any name, also a word of SQL. */
    private String quoted(String name) {
        boolean isOurs = isPostgres() && name.startsWith(partitionPrefix()) && name.matches("[a-z_][a-z0-9_]*");
        return isOurs ? name : inQuotes(name);
    }

    private String inQuotes(String name) {
        String quote = isPostgres() ? "\"" : "`";
        return quote + name.replace(quote, quote + quote) + quote;
    }

    private boolean isPostgres() {
        return dialect() == Dialect.POSTGRESQL;
    }
}

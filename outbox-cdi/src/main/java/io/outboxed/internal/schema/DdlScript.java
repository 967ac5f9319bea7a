package io.outboxed.internal.schema;

import io.outboxed.internal.database.Dialect;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A parsed schema file: its statements, and the tables that they define. */
public final class DdlScript {
    private static final Pattern TABLE =
            Pattern.compile("CREATE TABLE IF NOT EXISTS ([\\w.]+) \\(\\n(.*?)\\n\\)(.*)", Pattern.DOTALL);
    private static final Pattern PARTITION =
            Pattern.compile("CREATE TABLE IF NOT EXISTS ([\\w.]+) PARTITION OF ([\\w.]+) .*");
    private static final Pattern INDEX =
            Pattern.compile("CREATE INDEX IF NOT EXISTS (\\w+) ON ([\\w.]+) \\((.*?)\\)(?: WHERE (.*))?");
    private static final Pattern PRIMARY_KEY = Pattern.compile("PRIMARY KEY \\((.*)\\)");
    private static final Pattern KEY = Pattern.compile("KEY (\\w+) \\((.*)\\)");
    private static final Pattern DEFAULT = Pattern.compile(".*(?<!BY )DEFAULT (\\S+).*");
    private static final Pattern COLUMN = Pattern.compile(
            "(\\w+) ([A-Z ]+?)(?:\\((\\d+)\\))?( WITH TIME ZONE)?(?: (?:NOT NULL|NULL|DEFAULT|GENERATED).*)?");

    private final List<String> statements;

    private DdlScript(List<String> statements) {
        this.statements = statements;
    }

    /** @param size 0 if it does not matter */
    public record Column(String name, String type, int size, String definition) {

        public boolean isText() {
            return type.contains("CHAR") || type.endsWith("TEXT");
        }

        boolean isTime() {
            return type.startsWith("TIMESTAMP");
        }

        /** Whether the database assigns its values. */
        boolean isIdentity() {
            return definition.contains("AUTO_INCREMENT") || definition.contains("IDENTITY");
        }

        boolean isNullable() {
            return !definition.contains("NOT NULL") && !isIdentity();
        }

        /** Null for none. */
        String defaultValue() {
            Matcher value = DEFAULT.matcher(definition);
            return value.matches() ? value.group(1) : null;
        }
    }

    /** @param condition of a partial index, otherwise null */
    record Index(String name, String table, List<String> columns, String condition, String ddl) {}

    /** @param partitionOf the table that this is a partition of, otherwise null */
    public record Table(
            String name,
            List<Column> columns,
            List<String> primaryKey,
            List<Index> indexes,
            String partitionOf,
            String ddl) {}

    /** The schema file with its comments. */
    public static String text(Dialect dialect, String prefix) {
        return SqlFile.text(dialect.schemaFile(), dialect, prefix);
    }

    static DdlScript of(Dialect dialect, String prefix) {
        return new DdlScript(SqlFile.statements(text(dialect, prefix)));
    }

    List<String> statements() {
        return statements;
    }

    List<Table> tables() {
        List<Table> tables = new ArrayList<>();
        for (String statement : statements) {
            Matcher table = TABLE.matcher(statement);
            Matcher partition = PARTITION.matcher(statement);
            if (table.matches()) {
                tables.add(table(table.group(1), table.group(2), statement));
            } else if (partition.matches()) {
                tables.add(
                        new Table(partition.group(1), List.of(), List.of(), List.of(), partition.group(2), statement));
            }
        }
        return tables;
    }

    private Table table(String name, String body, String ddl) {
        List<Column> columns = new ArrayList<>();
        List<Index> indexes = new ArrayList<>(standaloneIndexes(name));
        List<String> primaryKey = List.of();
        for (String line : body.split(",\\n")) {
            String part = line.strip();
            Matcher primary = PRIMARY_KEY.matcher(part);
            Matcher key = KEY.matcher(part);
            if (primary.matches()) {
                primaryKey = names(primary.group(1));
            } else if (key.matches()) {
                String create = "CREATE INDEX " + key.group(1) + " ON " + name + " (" + key.group(2) + ")";
                indexes.add(new Index(key.group(1), name, names(key.group(2)), null, create));
            } else {
                columns.add(column(part));
            }
        }
        return new Table(name, columns, primaryKey, indexes, null, ddl);
    }

    private List<Index> standaloneIndexes(String table) {
        return statements.stream()
                .map(INDEX::matcher)
                .filter(Matcher::matches)
                .filter(index -> index.group(2).equals(table))
                .map(index -> new Index(index.group(1), table, names(index.group(3)), index.group(4), index.group()))
                .toList();
    }

    private static Column column(String definition) {
        Matcher column = COLUMN.matcher(definition);
        if (!column.matches()) {
            throw new IllegalStateException("unreadable column in the schema file: " + definition);
        }
        String zone = column.group(4) == null ? "" : column.group(4);
        boolean timestamp = column.group(2).startsWith("TIMESTAMP");
        int size = column.group(3) == null || timestamp ? 0 : Integer.parseInt(column.group(3));
        return new Column(column.group(1), column.group(2) + zone, size, definition);
    }

    private static List<String> names(String list) {
        return List.of(list.split(", "));
    }
}

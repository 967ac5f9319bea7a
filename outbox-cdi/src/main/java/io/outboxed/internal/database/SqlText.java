package io.outboxed.internal.database;

import io.outboxed.OutboxException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Adapts the statements of {@code Sql} and of the schema files, written for the prefix outbox_, to a database and a
 * prefix.
 */
public class SqlText {
    public static final String DEFAULT_PREFIX = "outbox_";
    public static final String PREFIX = "([a-z][a-z0-9_]{0,62}\\.)?[a-z][a-z0-9_]{0,29}";
    public static final String PREFIX_IN_WORDS =
            "1 to 30 of a-z, 0-9 and _, a letter first; optionally a schema and a dot before it";

    private static final Pattern TABLE =
            Pattern.compile("(?:^UPDATE|(?<!EPOCH )\\bFROM|\\bINTO|JOIN)\\s+((?:\\w+\\.)?\\w+)", Pattern.DOTALL);
    /** The group begins the name of an index, which is in the schema of its table. */
    private static final Pattern NAME = Pattern.compile(
            "((?:CREATE|ADD) INDEX (?:IF NOT EXISTS )?|KEY |FORCE INDEX \\(|DROP INDEX )?" + DEFAULT_PREFIX);

    /** The database's time in microseconds since 1970. */
    public final String clock;
    /** Serialises deployments that register handlers, operators, and the removal of handlers. */
    public final String lockRegistry;

    private final Dialect dialect;
    private final String prefix;
    private final QualifiedName names;

    public SqlText(Dialect dialect, String prefix) {
        this.dialect = dialect;
        this.prefix = valid(prefix);
        this.names = QualifiedName.of(prefix);
        this.clock = of("SELECT :now AS found");
        this.lockRegistry = of("SELECT setting FROM outbox_meta WHERE name = 'registry' FOR UPDATE");
    }

    public static String valid(String prefix) {
        if (!prefix.matches(PREFIX)) {
            throw new OutboxException(
                    "OUTBOX-0303",
                    "outbox.table-prefix is \"" + prefix + "\", expected " + PREFIX_IN_WORDS + ", for example "
                            + DEFAULT_PREFIX + " or app." + DEFAULT_PREFIX + ". No table was touched.");
        }
        return prefix;
    }

    /** The verb and the first table of a statement. */
    public static String describe(String sql) {
        String verb = sql.replaceFirst("^\\W+", "").split("\\W", 2)[0];
        Matcher table = TABLE.matcher(sql);
        return table.find() ? verb + " " + table.group(1) : verb;
    }

    public final Dialect dialect() {
        return dialect;
    }

    public final String prefix() {
        return prefix;
    }

    /** The schema of all tables; null for the connection's own. */
    public final String schema() {
        return names.schema();
    }

    public final String of(String text) {
        return named(text).replace(":now", dialect.now()).replace(":created", dialect.created());
    }

    /**
     * Counts rows up to a limit, which is the last parameter.
     *
     * @param rows what follows FROM
     */
    public final String count(String rows) {
        return of("SELECT COUNT(*) AS found FROM (SELECT 1 AS one FROM " + rows + " LIMIT ?) t");
    }

    private String named(String text) {
        return names.schema() == null
                ? text.replace(DEFAULT_PREFIX, prefix)
                : NAME.matcher(text)
                        .replaceAll(found -> found.group(1) == null ? prefix : found.group(1) + index(found.group(1)));
    }

    private String index(String context) {
        boolean namesTheTable = dialect.isMySqlFamily() || !context.startsWith("DROP");
        return namesTheTable ? names.name() : prefix;
    }
}

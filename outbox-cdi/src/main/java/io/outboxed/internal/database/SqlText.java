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
    public static final String PREFIX = "[a-z][a-z0-9_]{0,29}";
    public static final String PREFIX_IN_WORDS = "1 to 30 of a-z, 0-9 and _, a letter first";

    private static final Pattern TABLE =
            Pattern.compile("(?:^UPDATE|\\bFROM|\\bINTO|JOIN)\\s+(\\w+)(?![\\w.])", Pattern.DOTALL);

    private final Dialect dialect;
    private final String prefix;

    public SqlText(Dialect dialect, String prefix) {
        this.dialect = dialect;
        this.prefix = valid(prefix);
    }

    public static String valid(String prefix) {
        if (!prefix.matches(PREFIX)) {
            throw new OutboxException(
                    "OUTBOX-0303",
                    "outbox.table-prefix is \"" + prefix + "\", expected " + PREFIX_IN_WORDS + ", for example "
                            + DEFAULT_PREFIX + ". No table was touched.");
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

    public final String of(String text) {
        return text.replace(DEFAULT_PREFIX, prefix)
                .replace(":now", dialect.now())
                .replace(":created", dialect.created());
    }
}

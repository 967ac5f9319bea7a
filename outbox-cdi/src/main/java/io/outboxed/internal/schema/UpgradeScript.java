package io.outboxed.internal.schema;

import io.outboxed.internal.database.Dialect;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What changes the tables of an older layout to the current one: the steps for existing tables, then the schema file,
 * which adds new ones. The number of a layout is the row 'schema' of outbox_meta. It rises only when older versions of
 * Outboxed could not work with the changed tables.
 */
public final class UpgradeScript {
    /** The layout of the schema files. */
    public static final int CURRENT = 1;

    private UpgradeScript() {}

    /**
     * With comments.
     *
     * @param from 0 to {@link #CURRENT}; {@link #CURRENT} for the schema file alone
     */
    public static String text(Dialect dialect, String prefix, int from) {
        String steps = IntStream.range(from, CURRENT)
                .mapToObj(layout -> SqlFile.text(file(dialect, layout), dialect, prefix) + "\n")
                .collect(Collectors.joining());
        return steps + DdlScript.text(dialect, prefix);
    }

    /** In their order. */
    public static List<String> statements(Dialect dialect, String prefix, int from) {
        return SqlFile.statements(text(dialect, prefix, from));
    }

    private static String file(Dialect dialect, int from) {
        String database = switch (dialect) {
            case H2 -> "h2";
            case MYSQL, MARIADB -> "mysql";
            case POSTGRESQL -> "postgresql";
        };
        return "/io/outboxed/schema/upgrade/" + from + "-to-" + (from + 1) + "/" + database + ".sql";
    }
}

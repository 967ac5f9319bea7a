package io.outboxed.internal.database;

import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The version of a database server. */
public record ServerVersion(int major, int minor) implements Comparable<ServerVersion> {
    /**
     * Before 11.0, MariaDB prefixes its version with one for the protocol; MySQL's driver takes the prefix for the
     * version.
     */
    private static final Pattern BEHIND_PREFIX = Pattern.compile("5\\.5\\.5-(\\d+)\\.(\\d+)");

    private static final Comparator<ServerVersion> ORDER =
            Comparator.comparingInt(ServerVersion::major).thenComparingInt(ServerVersion::minor);

    public static ServerVersion of(DatabaseMetaData database) throws SQLException {
        Matcher behindPrefix = BEHIND_PREFIX.matcher(database.getDatabaseProductVersion());
        return behindPrefix.lookingAt()
                ? new ServerVersion(Integer.parseInt(behindPrefix.group(1)), Integer.parseInt(behindPrefix.group(2)))
                : new ServerVersion(database.getDatabaseMajorVersion(), database.getDatabaseMinorVersion());
    }

    @Override
    public int compareTo(ServerVersion other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return major + "." + minor;
    }
}

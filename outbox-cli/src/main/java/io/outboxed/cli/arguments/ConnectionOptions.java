package io.outboxed.cli.arguments;

import io.outboxed.OutboxException;
import io.outboxed.cli.output.Terminal;
import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.SqlText;
import io.outboxed.internal.operations.OutboxOperations;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Properties;
import java.util.regex.Pattern;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Which tables. The password comes from the environment or from the keyboard, never from an argument. */
public final class ConnectionOptions {
    private static final Pattern PASSWORD = Pattern.compile("(?i)(password\\w*=|//[^?]*:[^?]*@)");
    private static final Pattern MAY_HOLD_A_SECRET = Pattern.compile("(?i)@|%|pass|pwd|secret|token");
    private static final String ANSWER_MILLIS = "20000";
    private static final String OUTBOX_PASSWORD = "OUTBOX_PASSWORD";

    private final Terminal terminal;

    @Spec(Spec.Target.MIXEE)
    CommandSpec command;

    @Option(names = "--url", paramLabel = "URL", description = "JDBC URL of the database; default: $OUTBOX_URL")
    String url;

    @Option(names = "--user", paramLabel = "NAME", description = "user of the database; default: $OUTBOX_USER")
    String user;

    @Option(
            names = "--driver-path",
            paramLabel = "PATH",
            description = "JDBC driver: a jar, or a directory of jars; default: $OUTBOX_DRIVER_PATH, else the"
                    + " directory lib beside this program")
    Path driverPath;

    @Option(
            names = "--table-prefix",
            paramLabel = "PREFIX",
            description = "as outbox.table-prefix of the application; default: $OUTBOX_TABLE_PREFIX, else outbox_")
    String tablePrefix;

    public ConnectionOptions(Terminal terminal) {
        this.terminal = terminal;
    }

    /** Of a command that opens no connection. */
    public static ConnectionOptions onlyPrefix(Terminal terminal, CommandSpec command, String tablePrefix) {
        ConnectionOptions options = new ConnectionOptions(terminal);
        options.command = command;
        options.tablePrefix = tablePrefix;
        return options;
    }

    public OutboxOperations open() {
        String prefix = prefix();
        return OutboxOperations.open(source(), prefix);
    }

    public boolean isNamed() {
        return url != null || user != null || driverPath != null;
    }

    public String prefix() {
        String prefix = either(tablePrefix, "OUTBOX_TABLE_PREFIX");
        try {
            return SqlText.valid(prefix == null ? SqlText.DEFAULT_PREFIX : prefix);
        } catch (OutboxException e) {
            throw wrong("--table-prefix is \"" + prefix + "\", expected " + SqlText.PREFIX_IN_WORDS);
        }
    }

    private ConnectionSource source() {
        String address = either(url, "OUTBOX_URL");
        if (address == null) {
            throw wrong("no database is named: pass --url, or set OUTBOX_URL");
        }
        if (url != null && PASSWORD.matcher(url).find()) {
            throw wrong("--url contains a password, which other users of this machine can read: set OUTBOX_PASSWORD");
        }
        Properties properties = new Properties();
        String name = either(user, "OUTBOX_USER");
        if (name != null) {
            properties.put("user", name);
        }
        // the user may also be named in the URL
        String password = name == null ? terminal.variable(OUTBOX_PASSWORD) : password(name);
        if (password != null) {
            properties.put("password", password);
        }
        properties.putAll(limits(address));
        if (mayCreate(address)) {
            properties.put("IFEXISTS", "TRUE");
        }
        JdbcDrivers drivers = new JdbcDrivers(driverPath(), this::wrong);
        Driver driver = drivers.find(address);
        return () -> connected(drivers, driver, address, properties);
    }

    private static Connection connected(JdbcDrivers drivers, Driver driver, String address, Properties properties)
            throws SQLException {
        Connection connection;
        try {
            connection = driver.connect(address, properties);
        } catch (SQLException e) {
            throw withoutSecret(address, e);
        } catch (RuntimeException malformed) {
            connection = null;
        }
        if (connection == null) {
            throw drivers.unreadable(address);
        }
        return connection;
    }

    /** Drivers quote parts of a URL that they misunderstand. */
    private static SQLException withoutSecret(String address, SQLException failure) {
        return MAY_HOLD_A_SECRET.matcher(address).find()
                ? new SQLException(
                        "SQLState " + failure.getSQLState()
                                + " (the driver's message could quote a password of the URL)",
                        failure.getSQLState(),
                        failure.getErrorCode())
                : failure;
    }

    private Path driverPath() {
        if (driverPath != null) {
            return driverPath;
        }
        String variable = either(null, "OUTBOX_DRIVER_PATH");
        return variable == null ? null : Path.of(variable);
    }

    private String password(String name) {
        String password = terminal.variable(OUTBOX_PASSWORD);
        return password == null && terminal.isInteractive()
                ? terminal.askSecretly("Password of " + name + ": ")
                : password;
    }

    /** A server that accepts a connection and then says nothing must not hold the command. */
    private static Properties limits(String address) {
        Properties limits = new Properties();
        boolean own = address.toLowerCase(Locale.ROOT).contains("sockettimeout");
        if (address.startsWith("jdbc:postgresql:") && !own) {
            limits.put("socketTimeout", "20");
        } else if ((address.startsWith("jdbc:mysql:") || address.startsWith("jdbc:mariadb:")) && !own) {
            limits.put("connectTimeout", "10000");
            limits.put("socketTimeout", ANSWER_MILLIS);
        }
        return limits;
    }

    /** H2 creates a database of any name that it does not find: https://h2database.com/html/features.html#database_url */
    private static boolean mayCreate(String address) {
        return address.startsWith("jdbc:h2:")
                && !address.startsWith("jdbc:h2:mem:")
                && !address.toLowerCase(Locale.ROOT).contains("ifexists");
    }

    private String either(String argument, String variable) {
        String value = argument != null ? argument : terminal.variable(variable);
        return value == null || value.isBlank() ? null : value;
    }

    public ParameterException wrong(String problem) {
        return new ParameterException(command.commandLine(), problem);
    }
}

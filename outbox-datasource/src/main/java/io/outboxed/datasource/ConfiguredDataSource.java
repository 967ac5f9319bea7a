package io.outboxed.datasource;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Logger;
import java.util.regex.Pattern;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import javax.sql.DataSource;
import org.eclipse.microprofile.config.ConfigProvider;

/**
 * A data source without a pool whose database is configured with MicroProfile Config: {@code outbox.datasource.url},
 * {@code .user} and {@code .password}, which are read again for each physical connection. It is the class behind {@code
 * java:app/jdbc/outbox} in this jar's {@code web-fragment.xml}; the container pools it and enlists it in JTA. The
 * driver is found by {@link ServiceLoader}, so it may be in the application.
 *
 * <p>If {@code outbox.datasource.lookup} names a data source of the server, connections come from there instead. It
 * must take part in no transaction, because the container enlists the connections of this class.
 *
 * <p>Some driver properties are set unless the URL contains them: {@code docs/configuration.md} lists them and says why.
 * While a connection is being opened, each answer of the server may take 20 seconds, or the login timeout if one is
 * set, which also limits how long a host may take to accept the connection. The isolation level is the database's
 * default.
 *
 * <p>Depends on the JDK and the MicroProfile Config API only, so that it can be put alone into a server's shared
 * library.
 */
public class ConfiguredDataSource implements DataSource {
    private static final int HANDSHAKE_SECONDS = 20;
    /** Of PostgreSQL's driver without a setting, too. */
    private static final int HOST_SECONDS = 10;
    /** In a row: the class loader of an application that is gone may fail each time it is asked. */
    private static final int MOST_UNUSABLE_DRIVERS = 100;

    private static final Pattern ONE_HOST = Pattern.compile("jdbc:(mysql|mariadb)://[^,/(]+(/.*)?");

    /** How often a connection was found dead. */
    private final AtomicLong outages = new AtomicLong();

    private String prefix = "outbox.datasource";
    private PrintWriter logWriter;
    private int loginTimeout;

    @Override
    public Connection getConnection() throws SQLException {
        return getConnection(null, null);
    }

    /** @param user null or empty, as passed by WildFly's pool: the configured user and password are used */
    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        return ReconnectingConnection.of(() -> openAs(user, password), outages);
    }

    /** Opens a connection without a pool behind it: once its database has closed it, it stays closed. */
    public Connection connect() throws SQLException {
        return openAs(null, null);
    }

    private Connection openAs(String user, String password) throws SQLException {
        Optional<String> ofTheServer = value("lookup");
        if (ofTheServer.isPresent()) {
            return borrowed(ofTheServer.get());
        }
        String url = value("url")
                .orElseThrow(() -> new SQLException(
                        "OUTBOX-0201 no database is configured: set " + prefix + ".url, for example in"
                                + " META-INF/microprofile-config.properties or as the environment variable "
                                + prefix.replaceAll("[^A-Za-z0-9]", "_").toUpperCase(Locale.ROOT) + "_URL",
                        "08001"));
        Properties properties = defaultsFor(url);
        boolean given = user != null && !user.isEmpty();
        (given ? Optional.of(user) : value("user")).ifPresent(v -> properties.put("user", v));
        (given ? Optional.ofNullable(password) : value("password")).ifPresent(v -> properties.put("password", v));
        return open(url, properties);
    }

    /**
     * Borrows a connection of the server's data source. The pool above this class keeps it until it no longer needs it.
     */
    private Connection borrowed(String name) throws SQLException {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try {
            // Payara's pool calls without a class loader, and Payara's JNDI does not work without one
            thread.setContextClassLoader(before == null ? ConfiguredDataSource.class.getClassLoader() : before);
            return ((DataSource) new InitialContext().lookup(name)).getConnection();
        } catch (NamingException | ClassCastException e) {
            throw new SQLException(
                    "OUTBOX-0205 there is no data source " + name + " in JNDI (" + prefix + ".lookup): " + e
                            + ". Define it in the server, with non-transactional connections",
                    "08001",
                    e);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    /** A server that accepts the connection and then says nothing must not hold the thread. */
    private Connection open(String url, Properties properties) throws SQLException {
        Map<String, String> limit = handshakeLimit(url);
        properties.putAll(limit);
        properties.putAll(hostLimit(url));
        Connection connection = openWithDriver(url, properties);
        if (!limit.isEmpty()) {
            relax(connection);
        }
        return connection;
    }

    /** The limit is for opening only: statements of the application may take as long as they like. */
    private static void relax(Connection connection) throws SQLException {
        try {
            connection.setNetworkTimeout(Runnable::run, 0);
        } catch (SQLException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    /**
     * Empty if the URL has a limit of its own, and for several MySQL or MariaDB hosts: their drivers may open further
     * connections later, for which the limit would stay.
     */
    Map<String, String> handshakeLimit(String url) {
        int seconds = loginTimeout > 0 ? loginTimeout : HANDSHAKE_SECONDS;
        if (url.toLowerCase(Locale.ROOT).contains("sockettimeout")) {
            return Map.of();
        }
        if (url.startsWith("jdbc:postgresql:")) {
            return Map.of("socketTimeout", String.valueOf(seconds));
        }
        return ONE_HOST.matcher(url).matches() ? Map.of("socketTimeout", String.valueOf(1000L * seconds)) : Map.of();
    }

    /** How long a host may take to accept a connection, if a login timeout is set; otherwise as long as always. */
    Map<String, String> hostLimit(String url) {
        if (loginTimeout <= 0 || url.toLowerCase(Locale.ROOT).contains("connecttimeout")) {
            return Map.of();
        }
        int seconds = Math.min(loginTimeout, HOST_SECONDS);
        if (url.startsWith("jdbc:postgresql:")) {
            return Map.of("connectTimeout", String.valueOf(seconds));
        }
        return ONE_HOST.matcher(url).matches() ? Map.of("connectTimeout", String.valueOf(1000L * seconds)) : Map.of();
    }

    private Connection openWithDriver(String url, Properties properties) throws SQLException {
        List<String> seen = new ArrayList<>();
        for (Driver driver : drivers()) {
            seen.add(driver.getClass().getName());
            try {
                Connection connection = driver.acceptsURL(url) ? driver.connect(url, properties) : null;
                if (connection != null) {
                    return connection;
                }
            } catch (SQLException e) {
                throw withoutSecrets(e, url, properties);
            } catch (RuntimeException e) {
                // of a URL that could not be parsed, probably
                throw withoutMessage(e, url);
            }
        }
        throw new SQLException(
                "OUTBOX-0202 no JDBC driver accepts " + new UrlSecrets(url).without() + " (" + prefix
                        + ".url); drivers found: "
                        + (seen.isEmpty() ? "none" : String.join(", ", seen))
                        + "; add the database's driver to the application's WEB-INF/lib",
                "08001");
    }

    /** Looks for each property in the URL, because Connector/J gives properties precedence over it. */
    static Properties defaultsFor(String url) {
        Properties properties = new Properties();
        if (url.startsWith("jdbc:mysql:")) {
            unlessIn(url, properties, "rewriteBatchedStatements", "true");
            unlessIn(url, properties, "readOnlyPropagatesToServer", "false");
            unlessIn(url, properties, "connectTimeout", String.valueOf(1000L * HOST_SECONDS));
            unlessIn(url, properties, "cachePrepStmts", "true");
            unlessIn(url, properties, "prepStmtCacheSize", "250");
            unlessIn(url, properties, "prepStmtCacheSqlLimit", "2048");
        } else if (url.startsWith("jdbc:postgresql:")) {
            unlessIn(url, properties, "reWriteBatchedInserts", "true");
            unlessIn(url, properties, "logServerErrorDetail", "false");
            unlessIn(url, properties, "tcpKeepAlive", "true");
        }
        return properties;
    }

    private static void unlessIn(String url, Properties properties, String name, String value) {
        if (!url.toLowerCase(Locale.ROOT).contains(name.toLowerCase(Locale.ROOT))) {
            properties.put(name, value);
        }
    }

    /**
     * A class in a shared library sees only the environment; the application's own files are visible to the thread's
     * class loader.
     */
    private Optional<String> value(String key) throws SQLException {
        boolean spacesCount = key.equals("password");
        try {
            return loaders().stream()
                    .map(ConfigProvider::getConfig)
                    .flatMap(config -> config.getOptionalValue(prefix + "." + key, String.class).stream())
                    .filter(value -> !value.isBlank())
                    .map(value -> spacesCount ? value : value.strip())
                    .findFirst();
        } catch (IllegalArgumentException e) {
            throw new SQLException(
                    "OUTBOX-0206 " + prefix + "." + key + " can't be read: "
                            + e.getClass().getName()
                            + " (its message may quote the value and is not shown). Does the setting refer to itself?",
                    "08001");
        }
    }

    private static Set<Driver> drivers() {
        Set<Driver> drivers = new LinkedHashSet<>();
        for (ClassLoader loader : loaders()) {
            var found = ServiceLoader.load(Driver.class, loader).iterator();
            int unusableInARow = 0;
            while (unusableInARow < MOST_UNUSABLE_DRIVERS) {
                try {
                    // loads the class, which may be of a newer Java
                    if (!found.hasNext()) {
                        break;
                    }
                    drivers.add(found.next());
                    unusableInARow = 0;
                } catch (ServiceConfigurationError | LinkageError unusable) {
                    unusableInARow++;
                    Logger.getLogger(ConfiguredDataSource.class.getName())
                            .warning("OUTBOX-0203 a JDBC driver could not be loaded and is ignored: " + unusable);
                }
            }
        }
        return drivers;
    }

    /**
     * For a class in a shared library only the thread's class loader sees the application; a pool's own thread sees
     * only the library.
     */
    private static Set<ClassLoader> loaders() {
        Set<ClassLoader> loaders = new LinkedHashSet<>();
        loaders.add(ConfiguredDataSource.class.getClassLoader());
        ClassLoader ofThread = Thread.currentThread().getContextClassLoader();
        if (ofThread != null) {
            loaders.add(ofThread);
        }
        return loaders;
    }

    /** Some drivers quote a URL that they could not parse. */
    private static SQLException withoutSecrets(SQLException e, String url, Properties properties) {
        String message = String.valueOf(e.getMessage());
        String password = properties.getProperty("password", "");
        boolean leaks = message.contains(url) || !password.isEmpty() && message.contains(password);
        boolean quotesParameters = message.toLowerCase(Locale.ROOT).contains("password=");
        return leaks || quotesParameters || new UrlSecrets(url).areQuotedBy(e) ? withoutMessage(e, url) : e;
    }

    private static SQLException withoutMessage(Exception e, String url) {
        SQLException known = e instanceof SQLException sql ? sql : new SQLException("", "08001");
        SQLException clean = new SQLException(
                "OUTBOX-0204 " + e.getClass().getName() + " while connecting to " + new UrlSecrets(url).without()
                        + " (SQLState " + known.getSQLState() + ", vendor code " + known.getErrorCode()
                        + "); the driver's message is omitted because it may contain the URL or the password",
                known.getSQLState(),
                known.getErrorCode());
        clean.setStackTrace(e.getStackTrace());
        return clean;
    }

    /** The prefix of the keys; {@code outbox.datasource} unless a definition sets the property {@code prefix}. */
    public String getPrefix() {
        return prefix;
    }

    public void setPrefix(String prefix) {
        this.prefix = prefix;
    }

    @Override
    public PrintWriter getLogWriter() {
        return logWriter;
    }

    @Override
    public void setLogWriter(PrintWriter logWriter) {
        this.logWriter = logWriter;
    }

    @Override
    public int getLoginTimeout() {
        return loginTimeout;
    }

    @Override
    public void setLoginTimeout(int seconds) {
        this.loginTimeout = seconds;
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException("no java.util.logging here");
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        if (type.isInstance(this)) {
            return type.cast(this);
        }
        throw new SQLException("this is not a " + type.getName());
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return type.isInstance(this);
    }
}

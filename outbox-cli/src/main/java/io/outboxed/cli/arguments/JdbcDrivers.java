package io.outboxed.cli.arguments;

import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Driver;
import java.sql.SQLException;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Finds the driver for a URL: on the class path, then in jars that the operator provides, because not every driver may
 * be distributed with this program.
 */
public final class JdbcDrivers {
    private static final Pattern KIND = Pattern.compile("jdbc:\\w+:");

    private final Path given;
    private final Function<String, RuntimeException> wrong;

    /**
     * @param given a jar or a directory; null for the directory lib
     * @param wrong makes an exception of what is wrong with the arguments
     */
    public JdbcDrivers(Path given, Function<String, RuntimeException> wrong) {
        this.given = given;
        this.wrong = wrong;
    }

    public Driver find(String address) {
        Path place = given == null ? libraries() : given;
        if (given != null && !Files.exists(given)) {
            throw wrong.apply("--driver-path names " + given + ", which does not exist");
        }
        // MariaDB's driver prints each error of the server by itself, also those that a check provokes
        System.setProperty("mariadb.logging.disable", "true");
        // not closed: the driver loads classes until the process ends
        ClassLoader loader = new URLClassLoader(jars(place), JdbcDrivers.class.getClassLoader());
        var drivers = ServiceLoader.load(Driver.class, loader).iterator();
        boolean newer = false;
        while (true) {
            try {
                // loads the class, which may be of a newer Java
                if (!drivers.hasNext()) {
                    break;
                }
                Driver driver = drivers.next();
                if (driver.acceptsURL(address)) {
                    return driver;
                }
            } catch (LinkageError e) {
                newer = true;
            } catch (ServiceConfigurationError | SQLException unusable) {
                continue;
            } catch (RuntimeException malformed) {
                throw unreadable(address);
            }
        }
        throw wrong.apply("no JDBC driver accepts " + kind(address) + ": correct the URL, put the jar of the database's"
                + " driver into " + place + ", or pass --driver-path"
                + (newer ? ". One driver can't be loaded here; it may need a newer Java" : ""));
    }

    /** The driver's own words may quote a secret, and so does its exception as a cause. */
    public RuntimeException unreadable(String address) {
        return wrong.apply("the JDBC driver can't read " + kind(address) + ": in a URL, special characters are written"
                + " as % and two hexadecimal digits");
    }

    /** Never the rest, which may contain a secret. */
    private static String kind(String address) {
        Matcher kind = KIND.matcher(address);
        return kind.lookingAt() ? kind.group() + "…" : "the URL";
    }

    private URL[] jars(Path place) {
        if (Files.isDirectory(place)) {
            try (Stream<Path> files = Files.list(place)) {
                return urls(files.filter(file -> file.toString().endsWith(".jar"))
                        .sorted()
                        .toList());
            } catch (IOException e) {
                throw wrong.apply(place + " can't be read: " + e);
            }
        }
        return urls(Files.exists(place) ? List.of(place) : List.of());
    }

    private static URL[] urls(List<Path> jars) {
        return jars.stream().map(JdbcDrivers::url).toArray(URL[]::new);
    }

    private static URL url(Path jar) {
        try {
            return jar.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Beside the jar of this class. */
    private static Path libraries() {
        try {
            Path program = Path.of(JdbcDrivers.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            return program.resolveSibling("lib");
        } catch (URISyntaxException e) {
            return Path.of("lib");
        }
    }
}

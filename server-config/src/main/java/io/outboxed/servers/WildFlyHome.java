package io.outboxed.servers;

import io.outboxed.servers.files.Cache;
import io.outboxed.servers.files.ServerDirectory;
import io.outboxed.servers.files.Zip;
import io.outboxed.servers.process.ServerProcess;
import io.outboxed.servers.process.ServerProgram;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The WildFly installation that Outboxed runs on: unpacked from its zip, with MicroProfile and the settings of this
 * module's scripts. Created once per machine and user.
 */
public final class WildFlyHome {
    /** WildFly's default configuration. */
    static final String STANDALONE = "standalone.xml";

    /** The default configuration with Reactive Messaging. Not WildFly's own. */
    static final String REACTIVE_MESSAGING = "standalone-reactive-messaging.xml";

    /** WildFly's configuration with all of Jakarta EE. */
    static final String FULL = "standalone-full.xml";

    private static final String MICROPROFILE = "docs/examples/enable-microprofile.cli";
    private static final List<String> OUTBOXED = List.of("outboxed.cli", "micrometer.cli");
    private static final String ADDS_REACTIVE_MESSAGING = "reactive-messaging.cli";

    private WildFlyHome() {}

    /** @param zip WildFly's distribution, {@code org.wildfly:wildfly-dist} */
    public static Path preparedFrom(Path zip) {
        List<byte[]> settings = OUTBOXED.stream().map(WildFlyHome::shipped).toList();
        byte[] reactiveMessaging = shipped(ADDS_REACTIVE_MESSAGING);
        int content = 31 * Arrays.deepHashCode(settings.toArray()) + Arrays.hashCode(reactiveMessaging);
        String name = zip.getFileName().toString().replace(".zip", "") + "-" + Integer.toHexString(content);
        return Cache.once(name, target -> prepare(zip, settings, reactiveMessaging, target))
                .resolve("home");
    }

    /** Creates a base directory from which a server can be started, with nothing deployed. */
    public static void copyConfiguration(Path home, Path base) {
        Path from = home.resolve("standalone/configuration");
        Path to = base.resolve("configuration");
        try (Stream<Path> all = Files.walk(from)) {
            Files.createDirectories(base.resolve("deployments"));
            for (Path path : (Iterable<Path>) all::iterator) {
                Files.copy(path, to.resolve(from.relativize(path).toString()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Copying " + from + " to " + to + " failed", e);
        }
    }

    /** Adds the data source to the configuration in the base directory. */
    static void define(ServerDataSource dataSource, Path home, Path base) {
        try {
            String name = "data-source-" + dataSource.database() + ".cli";
            Path script = Files.write(base.resolve(name), shipped(name));
            // WildFly contains H2's driver
            if (!dataSource.database().equals("h2")) {
                Files.copy(dataSource.driver(), base.resolve("deployments").resolve(dataSource.driverFile()));
            }
            configure(home, "-Djboss.server.base.dir=" + base, script, base.resolve("define.log"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Prepares the full profile in the base directory, with the queue. */
    static void define(ServerQueue queue, Path home, Path base) {
        String options = "-Djboss.server.base.dir=" + base + " -Dconfig=" + FULL;
        Path log = base.resolve("define.log");
        try {
            configure(home, options, home.resolve(MICROPROFILE), log);
            configure(home, options, Files.write(base.resolve("settings.cli"), shipped(OUTBOXED.get(0))), log);
            configure(home, options, Files.writeString(base.resolve("queue.cli"), queue.script()), log);
            append(base, "application-users.properties", queue.user());
            append(base, "application-roles.properties", queue.role());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void append(Path base, String file, String line) throws IOException {
        Files.writeString(base.resolve("configuration").resolve(file), line, StandardOpenOption.APPEND);
    }

    private static void prepare(Path zip, List<byte[]> settings, byte[] reactiveMessaging, Path target) {
        try {
            Path home = target.resolve("home");
            new Zip(zip).unpackTo(home);
            Path log = target.resolve("prepare.log");
            configure(home, "", home.resolve(MICROPROFILE), log);
            for (byte[] script : settings) {
                configure(home, "", Files.write(target.resolve("settings.cli"), script), log);
            }
            Path configurations = home.resolve("standalone/configuration");
            Files.copy(configurations.resolve(STANDALONE), configurations.resolve(REACTIVE_MESSAGING));
            Path script = Files.write(target.resolve("settings.cli"), reactiveMessaging);
            configure(home, "-Dconfig=" + REACTIVE_MESSAGING, script, log);
            List.of("data", "log", "tmp")
                    .forEach(own ->
                            ServerDirectory.delete(home.resolve("standalone").resolve(own)));
        } catch (IOException e) {
            throw new UncheckedIOException("Preparing WildFly from " + zip + " failed", e);
        }
    }

    /** Runs WildFly's command line with an embedded server; nothing listens on a port. */
    private static void configure(Path home, String options, Path script, Path log) {
        List<String> command = List.of("sh", home.resolve("bin/jboss-cli.sh").toString(), "--file=" + script);
        Map<String, String> environment = Map.of(
                "JAVA_HOME", System.getProperty("java.home"), "JBOSS_HOME", home.toString(), "JAVA_OPTS", options);
        ServerProcess.run(new ServerProgram("jboss-cli", command, environment, log, "TERM"), null);
    }

    private static byte[] shipped(String script) {
        return new ShippedFile("wildfly/" + script).bytes();
    }
}

package io.outboxed.servers;

import io.outboxed.servers.files.Cache;
import io.outboxed.servers.files.ServerDirectory;
import io.outboxed.servers.files.Zip;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Open Liberty with its own user directory; the installation is shared and never written to. */
final class OpenLiberty extends ApplicationServer {
    private static final String STARTED = "CWWKZ0001I: Application %s started";
    private static final String STOPPED = "CWWKZ0009I: The application %s has stopped";

    private static final List<String> DRIVERS =
            List.of("h2-", "mysql-connector-j-", "mariadb-java-client-", "postgresql-");
    private static final String REACTIVE_MESSAGING = "reactive-messaging.xml";
    private static final String HEAP = "-Xmx768m";

    /** Applications of tests also log in users by tokens, and are described by OpenAPI. */
    private static final String FOR_ADAPTER = "<server><featureManager><feature>localConnector-1.0</feature>"
            + "<feature>mpJwt-2.1</feature><feature>mpOpenAPI-3.1</feature></featureManager><applicationMonitor updateTrigger=\"mbean\"/></server>";

    /** As {@code bin/server create} writes it: without a key store, no token is accepted. */
    private static final String KEY_STORE = "keystore_password=changeit\n";

    private final Path home;
    /** The adapter refuses to start a server while another one with the same name runs on the machine. */
    private final String server;

    OpenLiberty(ServerSetup setup) {
        super("Open Liberty", setup);
        this.home = Cache.once(
                        setup.distribution().getFileName().toString().replace(".zip", ""),
                        target -> unpack(target.resolve("home")))
                .resolve("home");
        this.server = "outboxed-" + Integer.toHexString(root("usr").toString().hashCode());
    }

    @Override
    List<String> prepare(boolean replace) throws IOException {
        layOutServer();
        deploy(setup.application());
        return command();
    }

    @Override
    Map<String, String> forAdapter() throws IOException {
        layOutServer();
        Files.writeString(dropins().resolve("adapter.xml"), FOR_ADAPTER);
        Files.writeString(config("server.env"), KEY_STORE + "JAVA_HOME=" + System.getProperty("java.home") + "\n");
        List<String> options = new ArrayList<>(List.of(HEAP, proof()));
        options.addAll(setup.jvmOptions());
        Files.write(config("jvm.options"), options);
        return Map.of("home", home.toString(), "usr", root("usr").toString(), "server", server);
    }

    /** Keeps Liberty's work area: with its cached feature data, the next start takes half the time. */
    private void layOutServer() throws IOException {
        for (Path ours : List.of(root("tmp"), dropins(), config("apps"), config("lib"))) {
            ServerDirectory.delete(ours);
            Files.createDirectories(ours);
        }
        Files.writeString(config("server.xml"), shipped("server.xml"));
        Files.writeString(
                config("bootstrap.properties"),
                shipped("bootstrap.properties") + "http.host=127.0.0.1\nhttp.port=" + setup.port() + "\n");
        copyDataSource();
        if (setup.dataSource().isPresent()) {
            define(setup.dataSource().get());
        }
        if (setup.reactiveMessaging()) {
            Files.writeString(dropins().resolve(REACTIVE_MESSAGING), shipped(REACTIVE_MESSAGING));
        }
    }

    private void define(ServerDataSource dataSource) throws IOException {
        Files.copy(dataSource.driver(), config("lib").resolve(dataSource.driverFile()));
        String file = "data-source-" + dataSource.database() + ".xml";
        Files.writeString(dropins().resolve(file), shipped(file));
    }

    /** Logged after the start of the application, if that succeeds within half a minute. */
    @Override
    String startedText() {
        return "CWWKF0011I";
    }

    @Override
    Map<String, String> environment() {
        return Map.of("WLP_USER_DIR", root("usr").toString());
    }

    /** Works with files that Liberty watches, one for each application. */
    @Override
    public ApplicationServer awaitReplaced() {
        awaitStarted();
        String first = setup.application();
        try {
            deploy(SECOND);
            awaitLogged(STARTED, SECOND, 1);
            undeploy(first);
            deploy(first);
            awaitLogged(STARTED, first, 2);
            undeploy(SECOND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    @Override
    String proof() {
        return "-Djava.io.tmpdir=" + root("tmp");
    }

    @Override
    void cleanUp() {
        ServerDirectory.delete(root("tmp"));
    }

    /**
     * Starts Java without Liberty's script, which only adds these options; its file for Java 24 differs in an export of
     * IBM's JDK.
     */
    private List<String> command() {
        return List.of(
                setup.java(),
                HEAP,
                "-javaagent:" + home.resolve("bin/tools/ws-javaagent.jar"),
                "@" + home.resolve("lib/platform/java/java24.options"),
                "-Djava.awt.headless=true",
                proof(),
                "-jar",
                home.resolve("bin/tools/ws-server.jar").toString(),
                server);
    }

    /** Sets an id: Liberty numbers elements without one, and restarts those whose number changes. */
    private void deploy(String name) throws IOException {
        Files.copy(setup.war(), config("apps").resolve(name + ".war"), StandardCopyOption.REPLACE_EXISTING);
        String application = shipped("outbox.xml")
                .replace("\"outbox\"", "\"" + name + "\"")
                .replace("outbox.war", name + ".war")
                .replace("/outbox\"", "/" + name + "\"");
        Path unfinished = Files.writeString(root("tmp").resolve(name), application);
        Files.move(unfinished, dropins().resolve(name + ".xml"), StandardCopyOption.ATOMIC_MOVE);
    }

    private void undeploy(String name) throws IOException {
        Files.delete(dropins().resolve(name + ".xml"));
        awaitLogged(STOPPED, name, 1);
    }

    private void awaitLogged(String text, String application, int times) {
        String line = text.formatted(application);
        await(line, () -> logged().split(line, -1).length > times);
    }

    /** A data source that the application defines needs its class from a library: the same jars as in the WAR. */
    private void copyDataSource() throws IOException {
        try (FileSystem war = FileSystems.newFileSystem(setup.war());
                Stream<Path> files = Files.list(war.getPath("WEB-INF/lib"))) {
            List<Path> jars = files.toList();
            List<Path> configured = named(jars, List.of("outbox-datasource-"));
            for (Path jar : configured.isEmpty() ? named(jars, DRIVERS) : configured) {
                Files.copy(jar, config("lib").resolve(jar.getFileName().toString()));
            }
        }
    }

    private static List<Path> named(List<Path> jars, List<String> prefixes) {
        return jars.stream()
                .filter(jar -> prefixes.stream().anyMatch(jar.getFileName().toString()::startsWith))
                .toList();
    }

    private void unpack(Path home) {
        try {
            new Zip(setup.distribution()).unpackTo(home);
            Path script = home.resolve("bin/server");
            if (!script.toFile().setExecutable(true)) {
                throw new IOException("can't be made executable: " + script);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Unpacking " + setup.distribution() + " failed", e);
        }
    }

    private static String shipped(String file) {
        return new ShippedFile("liberty/" + file).text();
    }

    private Path dropins() {
        return config("configDropins/defaults");
    }

    private Path config(String file) {
        return root("usr/servers").resolve(server).resolve(file);
    }
}

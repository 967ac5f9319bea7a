package io.outboxed.servers;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Open Liberty on a user directory of its own; the installation is shared and never written to. */
final class OpenLiberty extends ApplicationServer {
    private static final String SERVER = "outboxed";
    private static final String STARTED = "CWWKZ0001I: Application %s started";
    private static final String STOPPED = "CWWKZ0009I: The application %s has stopped";

    OpenLiberty(ServerSetup setup) {
        super("Open Liberty", setup);
    }

    /** Liberty's own work is kept: with what it has found out about its features, the next start takes half the time. */
    @Override
    List<String> prepare(boolean replace) throws IOException {
        Path home = Cache.once(
                setup.distribution().getFileName().toString().replace(".zip", ""),
                target -> unpack(target.resolve("home")));
        ServerDirectory.delete(applications());
        ServerDirectory.delete(config("lib"));
        for (Path needed : List.of(root("tmp"), applications(), config("apps"), config("lib"))) {
            Files.createDirectories(needed);
        }
        Files.writeString(config("server.xml"), shipped("server.xml"));
        Files.writeString(config("bootstrap.properties"), shipped("bootstrap.properties"));
        copyDataSource();
        deploy(setup.application());
        return command(home.resolve("home"));
    }

    /** Follows the start of the application, if that succeeds within half a minute. */
    @Override
    String startedText() {
        return "CWWKF0011I";
    }

    @Override
    Map<String, String> environment() {
        return Map.of("WLP_USER_DIR", root("usr").toString());
    }

    /** By files that Liberty watches, one for each application. */
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

    /** Without its script, which only adds these options; the file for Java 24 differs in an export of IBM's JDK. */
    private List<String> command(Path home) {
        return List.of(
                setup.java(),
                "-Xmx768m",
                "-javaagent:" + home.resolve("bin/tools/ws-javaagent.jar"),
                "@" + home.resolve("lib/platform/java/java24.options"),
                "-Djava.awt.headless=true",
                proof(),
                "-jar",
                home.resolve("bin/tools/ws-server.jar").toString(),
                SERVER,
                "--",
                "--http.host=127.0.0.1",
                "--http.port=" + setup.port());
    }

    private void deploy(String name) throws IOException {
        Files.copy(setup.war(), config("apps").resolve(name + ".war"), StandardCopyOption.REPLACE_EXISTING);
        String application =
                shipped("outbox.xml").replace("outbox.war", name + ".war").replace("/outbox\"", "/" + name + "\"");
        Path unfinished = Files.writeString(root("tmp").resolve(name), application);
        Files.move(unfinished, applications().resolve(name + ".xml"), StandardCopyOption.ATOMIC_MOVE);
    }

    private void undeploy(String name) throws IOException {
        Files.delete(applications().resolve(name + ".xml"));
        awaitLogged(STOPPED, name, 1);
    }

    private void awaitLogged(String text, String application, int times) {
        String line = text.formatted(application);
        await(line, () -> logged().split(line, -1).length > times);
    }

    /** The same jar that is in the application. */
    private void copyDataSource() throws IOException {
        try (FileSystem war = FileSystems.newFileSystem(setup.war());
                Stream<Path> jars = Files.list(war.getPath("WEB-INF/lib"))) {
            for (Path jar : (Iterable<Path>) jars::iterator) {
                String name = jar.getFileName().toString();
                if (name.startsWith("outbox-datasource")) {
                    Files.copy(jar, config("lib").resolve(name));
                }
            }
        }
    }

    private void unpack(Path home) {
        try {
            new Zip(setup.distribution()).unpackTo(home);
        } catch (IOException e) {
            throw new UncheckedIOException("Unpacking " + setup.distribution() + " failed", e);
        }
    }

    private static String shipped(String file) throws IOException {
        try (InputStream in = OpenLiberty.class.getResourceAsStream("liberty/" + file)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private Path applications() {
        return config("configDropins/defaults");
    }

    private Path config(String file) {
        return root("usr/servers").resolve(SERVER).resolve(file);
    }
}

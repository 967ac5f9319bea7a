package io.outboxed.servers.database;

import io.outboxed.servers.files.Cache;
import io.outboxed.servers.files.ServerDirectory;
import io.outboxed.servers.process.NotRoot;
import io.outboxed.servers.process.Orphan;
import io.outboxed.servers.process.ServerProcess;
import io.outboxed.servers.process.ServerProgram;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * MySQL 8.0.12, the newest that Maven Central distributes as a binary, or a newer one that is installed below the
 * directory in the system property {@code mysql.home}, for example {@code /usr}.
 */
public final class RealMySql extends RealDatabase {
    private static final String TO_PREPARE = """
            CREATE DATABASE outbox;
            CREATE USER outbox@'%%' %s 'outbox';
            GRANT ALL ON `outbox%%`.* TO outbox@'%%';
            GRANT PROCESS, XA_RECOVER_ADMIN ON *.* TO outbox@'%%';
            """;

    private RealMySql(ServerOptions options) {
        super(options);
    }

    /** A temporary server for tests. */
    public static RealMySql start() {
        return start(ServerOptions.temporary());
    }

    public static RealMySql start(ServerOptions options) {
        RealMySql server = new RealMySql(options);
        server.begin();
        return server;
    }

    @Override
    public String url() {
        return "jdbc:mysql://127.0.0.1:" + port() + "/outbox?sslMode=DISABLED&allowPublicKeyRetrieval=true"
                + "&connectionTimeZone=UTC&forceConnectionTimeZoneToSession=true&rewriteBatchedStatements=true";
    }

    @Override
    void prepare(ServerDirectory directory) {
        if (Files.isDirectory(directory.data())) {
            Orphan.end(directory.data().resolve("mysqld.pid"), "--datadir=" + directory.data());
        } else {
            MySqlRelease release = MySqlRelease.current();
            copy(Cache.once(release.name() + "-data", data -> initialise(release, data)), directory.data());
        }
    }

    @Override
    ServerProcess launch(ServerDirectory directory, ServerOptions options, int port) {
        List<String> arguments = new ArrayList<>(List.of(
                "--datadir=" + directory.data(),
                "--pid-file=" + directory.data().resolve("mysqld.pid"),
                "--port=" + port,
                "--bind-address=127.0.0.1",
                "--skip-name-resolve",
                "--socket=", // none: root has no password, and can log in only there
                "--secure-file-priv=",
                "--max-connections=200",
                "--innodb-buffer-pool-size=96M",
                "--innodb-flush-log-at-trx-commit=" + (options.durable() ? 1 : 2),
                // nosync leaves the writing to the operating system: it survives the server's death, not the machine's
                "--innodb-flush-method=" + (options.durable() ? "fsync" : "nosync")));
        arguments.addAll(options.arguments());
        return ServerProcess.start(program(MySqlRelease.current(), arguments, directory.log()))
                .awaitLogged("ready for connections");
    }

    /** Takes seconds, so it is done only once: each server starts with a copy. */
    private static void initialise(MySqlRelease release, Path data) {
        try {
            Path statements = Files.createTempFile(Cache.directory("running"), "prepare", ".sql");
            Path log = Files.createTempFile(Cache.directory("running"), "initialise-mysql", ".log");
            Files.writeString(statements, TO_PREPARE.formatted(release.account()));
            List<String> arguments = List.of(
                    "--datadir=" + data,
                    "--initialize-insecure",
                    "--init-file=" + statements,
                    "--innodb-flush-log-at-trx-commit=0");
            ServerProcess.run(program(release, arguments, log), null);
            Files.delete(data.resolve("auto.cnf")); // the server's identity: each copy gets its own
            Files.delete(statements);
            Files.delete(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ServerProgram program(MySqlRelease release, List<String> arguments, Path log) {
        List<String> command = new ArrayList<>(List.of(
                release.mysqld().toString(),
                "--no-defaults",
                "--basedir=" + release.home(),
                "--lc-messages-dir=" + release.messages(),
                "--mysqlx=0",
                "--skip-log-bin",
                "--performance-schema=0",
                "--innodb-use-native-aio=0",
                "--auto-generate-certs=0"));
        command.addAll(release.options());
        if (NotRoot.isRoot()) {
            command.add("--user=root"); // otherwise MySQL refuses to run as root
        }
        command.addAll(arguments);
        return new ServerProgram("MySQL", command, release.environment(), log, "TERM");
    }

    private static void copy(Path from, Path to) {
        Path unfinished = to.resolveSibling("data.unfinished");
        ServerDirectory.delete(unfinished);
        try (Stream<Path> all = Files.walk(from)) {
            for (Path path : (Iterable<Path>) all::iterator) {
                Files.copy(path, unfinished.resolve(from.relativize(path).toString()));
            }
            Files.move(unfinished, to);
        } catch (IOException e) {
            throw new UncheckedIOException("Copying " + from + " to " + to + " failed", e);
        }
    }
}

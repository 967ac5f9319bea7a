package io.outboxed.servers.database;

import io.outboxed.servers.files.Archive;
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
import java.util.Map;
import java.util.UUID;

/** PostgreSQL of the version whose binaries are on the class path, 18.6 by default. */
public final class RealPostgres extends RealDatabase {
    private static final Archive BINARIES = new Archive("/postgres-linux-x86_64.txz");
    private static final String TO_PREPARE = """
            CREATE ROLE outbox LOGIN PASSWORD 'outbox';
            CREATE DATABASE outbox OWNER outbox;
            """;

    /** In the data directory, which only its owner can read. */
    private static final String ADMINISTRATOR = "outboxed-administrator";

    private RealPostgres(ServerOptions options) {
        super(options);
    }

    /** A temporary server for tests. */
    public static RealPostgres start() {
        return start(ServerOptions.temporary());
    }

    public static RealPostgres start(ServerOptions options) {
        RealPostgres server = new RealPostgres(options);
        server.begin();
        return server;
    }

    @Override
    public String url() {
        return "jdbc:postgresql://127.0.0.1:" + port() + "/outbox?reWriteBatchedInserts=true";
    }

    /**
     * The password of the superuser {@code postgres}: a secret, because a superuser runs programs as the user who
     * started the server.
     */
    public String administratorPassword() {
        try {
            return Files.readString(log().resolveSibling("data").resolve(ADMINISTRATOR));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    void prepare(ServerDirectory directory) {
        Path data = directory.data();
        if (Files.isDirectory(data)) {
            Orphan.end(data.resolve("postmaster.pid"), data.toString());
            return;
        }
        Path unfinished = data.resolveSibling("data.unfinished");
        ServerDirectory.delete(unfinished);
        Path initialised = Cache.once(BINARIES.name() + "-quick-login-data", RealPostgres::initialise)
                .resolve("data");
        // not by this process: the server refuses a directory of another user
        List<String> copy = List.of("cp", "-a", initialised.toString(), unfinished.toString());
        ServerProcess.run(program(copy, directory.log()), null);
        try {
            Files.move(unfinished, data);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Takes seconds, so it is done only once: each server starts with a copy. */
    private static void initialise(Path target) {
        try {
            String data = target.resolve("data").toString();
            Path log = target.resolve("initialise.log");
            Path password = Files.createTempFile(target, "password", ""); // readable by its owner only
            Files.writeString(password, UUID.randomUUID().toString());
            Path statements = Files.writeString(target.resolve("prepare.sql"), TO_PREPARE);
            List<String> initdb = List.of(
                    binary("initdb"),
                    "-D",
                    data,
                    "-U",
                    "postgres",
                    "--pwfile=" + password,
                    "-A",
                    "scram-sha-256",
                    "-E",
                    "UTF8",
                    "--locale=C",
                    "--no-sync");
            ServerProcess.run(program(initdb, log), null);
            List<String> single = new ArrayList<>(List.of(binary("postgres"), "--single", "-D", data));
            single.addAll(quickLogin(target.resolve("data")));
            single.add("postgres");
            ServerProcess.run(program(single, log), statements);
            Files.move(password, target.resolve("data").resolve(ADMINISTRATOR));
            Files.delete(statements);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    ServerProcess launch(ServerDirectory directory, ServerOptions options, int port) {
        List<String> command = new ArrayList<>(List.of(
                binary("postgres"),
                "-D",
                directory.data().toString(),
                "-p",
                Integer.toString(port),
                "-c",
                "listen_addresses=127.0.0.1",
                "-c",
                "unix_socket_directories=",
                "-c",
                "max_connections=200",
                "-c",
                "max_prepared_transactions=20",
                "-c",
                "shared_buffers=64MB",
                "-c",
                "fsync=" + (options.durable() ? "on" : "off")));
        command.addAll(quickLogin(directory.data()));
        command.addAll(options.arguments());
        return ServerProcess.start(program(command, directory.log()))
                .awaitLogged("database system is ready to accept connections");
    }

    /**
     * Tests open thousands of connections, and a JVM that has just started takes 20 ms and more for the 4096 rounds of a
     * <a href="https://www.postgresql.org/docs/current/runtime-config-connection.html">password's hash</a>. Older
     * servers do not have the setting.
     */
    private static List<String> quickLogin(Path data) {
        try {
            int version = Integer.parseInt(
                    Files.readString(data.resolve("PG_VERSION")).strip());
            return version < 16 ? List.of() : List.of("-c", "scram_iterations=1");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String binary(String program) {
        return BINARIES.unpacked().resolve("bin").resolve(program).toString();
    }

    private static ServerProgram program(List<String> arguments, Path log) {
        List<String> command = new ArrayList<>(NotRoot.prefix());
        command.addAll(arguments);
        return new ServerProgram("PostgreSQL", command, Map.of("LC_ALL", "C"), log, "INT");
    }
}

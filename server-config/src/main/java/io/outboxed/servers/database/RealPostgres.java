package io.outboxed.servers.database;

import io.outboxed.servers.files.Archive;
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

/** PostgreSQL 18.6. */
public final class RealPostgres extends RealDatabase {
    private static final String VERSION = "postgresql-18.6.0";
    private static final String TO_PREPARE = """
            CREATE ROLE outbox LOGIN PASSWORD 'outbox';
            CREATE DATABASE outbox OWNER outbox;
            """;

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

    @Override
    void prepare(ServerDirectory directory) {
        Path data = directory.data();
        if (Files.isDirectory(data)) {
            Orphan.end(data.resolve("postmaster.pid"), data.toString());
            return;
        }
        Path unfinished = data.resolveSibling("data.unfinished");
        ServerDirectory.delete(unfinished);
        try {
            Path password = Files.writeString(directory.root().resolve("password"), "outbox\n");
            Path statements = Files.writeString(directory.root().resolve("prepare.sql"), TO_PREPARE);
            run(
                    directory,
                    null,
                    "initdb",
                    "-D",
                    unfinished.toString(),
                    "-U",
                    "postgres",
                    "--pwfile=" + password,
                    "-A",
                    "scram-sha-256",
                    "-E",
                    "UTF8",
                    "--locale=C",
                    "--no-sync");
            run(directory, statements, "postgres", "--single", "-D", unfinished.toString(), "postgres");
            Files.delete(password);
            Files.delete(statements);
            Files.move(unfinished, data);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    ServerProcess launch(ServerDirectory directory, ServerOptions options, int port) {
        List<String> arguments = new ArrayList<>(List.of(
                "-D", directory.data().toString(),
                "-p", Integer.toString(port),
                "-c", "listen_addresses=127.0.0.1",
                "-c", "unix_socket_directories=",
                "-c", "max_connections=200",
                "-c", "max_prepared_transactions=20",
                "-c", "shared_buffers=64MB",
                "-c", "fsync=" + (options.durable() ? "on" : "off")));
        arguments.addAll(options.arguments());
        return ServerProcess.start(program("postgres", arguments, directory.log()))
                .awaitLogged("database system is ready to accept connections");
    }

    private static void run(ServerDirectory directory, Path input, String program, String... arguments) {
        ServerProcess.run(program(program, List.of(arguments), directory.log()), input);
    }

    private static ServerProgram program(String program, List<String> arguments, Path log) {
        Path home = new Archive("/postgres-linux-x86_64.txz").unpackedAs(VERSION);
        List<String> command = new ArrayList<>(NotRoot.prefix());
        command.add(home.resolve("bin").resolve(program).toString());
        command.addAll(arguments);
        return new ServerProgram("PostgreSQL", command, Map.of("LC_ALL", "C"), log, "INT");
    }
}

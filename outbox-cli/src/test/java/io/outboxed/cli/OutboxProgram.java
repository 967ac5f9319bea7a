package io.outboxed.cli;

import io.outboxed.servers.database.RealDatabase;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The program in a process of its own.
 *
 * @param server the database that its environment names, or null
 * @param directory of its output
 */
record OutboxProgram(Path jar, RealDatabase server, Path directory) {
    /** As it is shipped. */
    static final Path JAR = Path.of(System.getProperty("cli.jar"));

    /** The program has that of PostgreSQL only, because of the others' licences. */
    static Path driverFor(RealDatabase server) {
        return driverFor(server.url());
    }

    static Path driverFor(String url) {
        try {
            return Path.of(DriverManager.getDriver(url)
                    .getClass()
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (SQLException | URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    record Result(int exit, String out, String err) {}

    Result run(String... arguments) throws IOException, InterruptedException {
        return run(Map.of(), arguments);
    }

    Result run(Map<String, String> variables, String... arguments) throws IOException, InterruptedException {
        int exit = start(variables, arguments).waitFor();
        return new Result(exit, text("out"), text("err"));
    }

    Process start(String... arguments) throws IOException {
        return start(Map.of(), arguments);
    }

    private Process start(Map<String, String> variables, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-jar",
                jar.toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder program = new ProcessBuilder(command)
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectOutput(directory.resolve("out").toFile())
                .redirectError(directory.resolve("err").toFile());
        if (server != null) {
            program.environment().put("OUTBOX_URL", server.url());
            program.environment().put("OUTBOX_USER", server.user());
            program.environment().put("OUTBOX_PASSWORD", server.password());
        }
        program.environment().putAll(variables);
        return program.start();
    }

    private String text(String file) throws IOException {
        return Files.readString(directory.resolve(file), StandardCharsets.UTF_8);
    }
}

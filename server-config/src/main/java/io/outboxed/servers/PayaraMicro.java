package io.outboxed.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Payara Micro with one application, in a process of its own that listens on 127.0.0.1. Ended with {@link #close()}, at
 * the latest when this JVM ends. Not thread-safe.
 */
public final class PayaraMicro implements AutoCloseable {
    private static final String LOOPBACK_ONLY = "set configs.config.server-config.network-config.network-listeners"
            + ".network-listener.http-listener.address=127.0.0.1\n";

    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(30);

    private final ServerProgram program;
    private final Path directory;
    private final int port;
    private ServerProcess process;

    /**
     * @param jar the distribution of Payara Micro
     * @param war the application; its name without {@code .war} is its path
     * @param directory for the log and the server's own files
     * @param environment variables for the process; MicroProfile Config reads them
     */
    public PayaraMicro(Path jar, Path war, Path directory, int port, Map<String, String> environment) {
        this.directory = directory;
        this.port = port;
        this.program = new ServerProgram(
                "Payara Micro",
                command(jar, war, directory, port),
                environment,
                directory.resolve("server.log"),
                "TERM");
    }

    /** Ends the server of an earlier run in this directory, if it still runs because its starter was killed. */
    static void endOrphan(Path directory) {
        Orphan.end(pidFile(directory), temporaryFiles(directory));
    }

    /** Returns with the process started, but not yet ready. */
    public PayaraMicro start() {
        endOrphan(directory);
        try {
            ServerDirectory.delete(directory.resolve("tmp"));
            Files.createDirectories(directory.resolve("tmp"));
            Files.writeString(directory.resolve("preboot"), LOOPBACK_ONLY);
            Children.endAtExit(this);
            process = ServerProcess.start(program);
            Files.writeString(pidFile(directory), Long.toString(process.pid()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    /**
     * Returns once a GET of the path is answered with 200. Payara Micro reports itself as ready even when the
     * application could not be deployed, therefore an application that is then not there is a failure.
     */
    public PayaraMicro awaitAnswer(String path) {
        AnswerProbe probe = new AnswerProbe(port, path);
        process.awaitLogged(" ready in ")
                .await(probe::answers, ANSWER_WITHIN, () -> "runs, but " + probe + ": was the application deployed?");
        return this;
    }

    public Path log() {
        return program.log();
    }

    public long pid() {
        return process.pid();
    }

    /** Waits for the process to end, for whatever reason. */
    public int awaitEnd() {
        return process.awaitEnd();
    }

    /** SIGKILL, and only then returns. */
    public void kill() {
        process.kill();
    }

    /** Asks the server to end and waits: what runs is brought to its end first. */
    @Override
    public void close() {
        Children.forget(this);
        process.stop();
        ServerDirectory.delete(directory.resolve("tmp"));
    }

    private static Path pidFile(Path directory) {
        return directory.resolve("payara.pid");
    }

    private static List<String> command(Path jar, Path war, Path directory, int port) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx640m",
                temporaryFiles(directory),
                "-jar",
                jar.toString(),
                "--nocluster",
                "--nohazelcast",
                "--disablephonehome",
                "--prebootcommandfile",
                directory.resolve("preboot").toString(),
                "--port",
                Integer.toString(port),
                "--deploy",
                war.toString(),
                "--contextroot",
                war.getFileName().toString().replace(".war", ""));
    }

    /** Also tells this server from every other: nobody else has these files. */
    private static String temporaryFiles(Path directory) {
        return "-Djava.io.tmpdir=" + directory.resolve("tmp");
    }
}

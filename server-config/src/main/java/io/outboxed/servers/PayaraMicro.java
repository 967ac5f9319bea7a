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

    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(60);

    private final ServerDirectory directory;
    private final List<String> command;
    private final int port;
    private ServerProcess process;

    /**
     * Takes the directory; if a server still runs in it, because its starter was killed, that one is ended.
     *
     * @param jar the distribution of Payara Micro
     * @param war the application; its name without {@code .war} is its path
     * @param directory for the log and the server's own files
     */
    public PayaraMicro(Path jar, Path war, Path directory, int port) {
        this.directory = ServerDirectory.open(directory, "payara");
        this.port = port;
        this.command = command(jar, war);
        Orphan.end(pidFile(), temporaryFiles());
    }

    /**
     * Returns with the process started, but not yet ready. May be called again after {@link #kill()}.
     *
     * @param environment variables for the process; MicroProfile Config reads them
     */
    public PayaraMicro start(Map<String, String> environment) {
        try {
            ServerDirectory.delete(root("tmp"));
            Files.createDirectories(root("tmp"));
            Files.writeString(root("preboot"), LOOPBACK_ONLY);
            Children.forget(this);
            Children.endAtExit(this);
            process = ServerProcess.start(new ServerProgram("Payara Micro", command, environment, log(), "TERM"));
            Files.writeString(pidFile(), Long.toString(process.pid()));
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
        return directory.log();
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
        if (process != null) {
            process.stop();
        }
        ServerDirectory.delete(root("tmp"));
        directory.close();
    }

    private List<String> command(Path jar, Path war) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx640m",
                temporaryFiles(),
                "-jar",
                jar.toString(),
                "--nocluster",
                "--nohazelcast",
                "--disablephonehome",
                "--prebootcommandfile",
                root("preboot").toString(),
                "--port",
                Integer.toString(port),
                "--deploy",
                war.toString(),
                "--contextroot",
                war.getFileName().toString().replace(".war", ""));
    }

    /** Also tells this server from every other: nobody else has these files. */
    private String temporaryFiles() {
        return "-Djava.io.tmpdir=" + root("tmp");
    }

    private Path pidFile() {
        return root("payara.pid");
    }

    private Path root(String name) {
        return directory.root().resolve(name);
    }
}

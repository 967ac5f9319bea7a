package io.outboxed.servers;

import io.outboxed.servers.files.ServerDirectory;
import io.outboxed.servers.process.Children;
import io.outboxed.servers.process.Orphan;
import io.outboxed.servers.process.ServerFailedException;
import io.outboxed.servers.process.ServerProcess;
import io.outboxed.servers.process.ServerProgram;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * An application server with one application, in its own process that listens on 127.0.0.1. Stopped by {@link
 * #close()}, at the latest when this JVM ends. Not thread-safe.
 */
public abstract sealed class ApplicationServer implements AutoCloseable
        permits OpenLiberty, PayaraMicro, PayaraServer, WildFly {
    /** The path of the copy that serves while the application is being replaced. */
    static final String SECOND = "second";

    static final Duration DEPLOYED_WITHIN = Duration.ofSeconds(180);
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(60);

    final ServerSetup setup;
    final ServerDirectory directory;
    private final String name;
    private ServerProcess process;
    private boolean started;

    ApplicationServer(String name, ServerSetup setup) {
        this.name = name;
        this.setup = setup;
        this.directory = ServerDirectory.open(setup.directory(), setup.server());
        Orphan.end(pidFile(), proof());
    }

    /** Locks the directory. A server that still runs in it because its launcher was killed is ended. */
    public static ApplicationServer of(ServerSetup setup) {
        return switch (setup.server()) {
            case "payara" -> new PayaraMicro(setup);
            case "payara-server" -> new PayaraServer(setup);
            case "wildfly" -> new WildFly(setup);
            case "liberty" -> new OpenLiberty(setup);
            default ->
                throw new ServerFailedException(
                        "the server is '" + setup.server() + "': choose payara, payara-server, wildfly or liberty");
        };
    }

    /**
     * Returns when the process has started, but is not yet ready. May be called again after {@link #kill()}.
     *
     * @param environment variables for the process; MicroProfile Config reads them
     */
    public final ApplicationServer start(Map<String, String> environment) {
        return start(environment, false);
    }

    /**
     * Like {@link #start}, and then, once the application is deployed: deploys a second copy under the path {@code
     * second}, undeploys and deploys the first one again, and undeploys the second one. {@link #awaitReplaced()} must
     * be called too, because some servers accept these commands only at their start, others only afterwards.
     */
    public final ApplicationServer startAndReplace(Map<String, String> environment) {
        return start(environment, true);
    }

    private ApplicationServer start(Map<String, String> environment, boolean replace) {
        try {
            launch(prepare(replace), environment);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    /** @param program with the server's JVM options before {@code -jar} */
    final void launch(List<String> program, Map<String, String> environment) throws IOException {
        List<String> command = new ArrayList<>(program);
        command.addAll(command.indexOf("-jar"), setup.jvmOptions());
        Children.forget(this);
        Children.endAtExit(this);
        Map<String, String> all = new HashMap<>(environment());
        all.putAll(environment);
        started = false;
        process = ServerProcess.start(new ServerProgram(name, command, all, log(), "TERM"));
        Files.writeString(pidFile(), Long.toString(process.pid()));
    }

    /**
     * For a tool like Arquillian's adapters: lays out the server's own files. Such tools start and stop the server
     * themselves, except Payara Server, which runs when this returns.
     *
     * @return the settings for the tool, by name
     */
    public final Map<String, String> layOut() {
        try {
            Children.forget(this);
            Children.endAtExit(this);
            Map<String, String> told = new LinkedHashMap<>(forAdapter());
            told.put("httpPort", Integer.toString(setup.port()));
            return told;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Returns once the server has finished its start, with or without the application: servers keep running without it.
     */
    public final ApplicationServer awaitStarted() {
        awaitLogged();
        if (!started) {
            started = true;
            afterStart();
        }
        return this;
    }

    final void awaitLogged() {
        process.awaitLogged(startedText());
    }

    /** Called once for each start, when the server has logged its end. */
    void afterStart() {}

    /** Returns once a GET of the path is answered with 200. */
    public final ApplicationServer awaitAnswer(String path) {
        AnswerProbe probe = new AnswerProbe(setup.port(), path);
        awaitStarted();
        process.await(probe::answers, ANSWER_WITHIN, () -> "runs, but " + probe + ": was the application deployed?");
        return this;
    }

    /** Returns once what {@link #startAndReplace} promises has been done. */
    public abstract ApplicationServer awaitReplaced();

    /**
     * Undeploys the application while the server runs, and deploys this file under its name. Returns once it is
     * deployed; whether the application works is for the caller to find out.
     *
     * @param undeployed called in between
     * @throws ServerFailedException if the server accepts no commands while it runs, like Payara Micro
     */
    public void redeploy(Path war, Runnable undeployed) {
        throw new ServerFailedException(name + " can't replace its application while it runs");
    }

    public final int port() {
        return setup.port();
    }

    /** The page for Prometheus. */
    public URI metricsAddress() {
        return URI.create("http://127.0.0.1:" + port() + "/metrics");
    }

    /** The port of {@code /health}, valid from the start on. */
    public int healthPort() {
        return port();
    }

    public final String name() {
        return name;
    }

    public final Path log() {
        return directory.log();
    }

    /** What has been logged since the last start. */
    public final String logged() {
        return process.logged();
    }

    public final long pid() {
        return process.pid();
    }

    /** Waits for the process to end, for whatever reason. */
    public final int awaitEnd() {
        return process.awaitEnd();
    }

    /** Sends SIGKILL and returns when the process has ended. */
    public final void kill() {
        process.kill();
    }

    /**
     * Asks the server to stop and waits for it; running work is completed first.
     *
     * @return false if it did not stop in time and had to be killed; its log then ends with its threads
     */
    public final boolean stop() {
        return process.stopJvm();
    }

    /** Asks the server to stop and waits. */
    @Override
    public final void close() {
        Children.forget(this);
        if (process != null && !stop()) {
            System.err.println(name + " did not stop when asked and was killed. Its log " + log()
                    + " ends with what its threads were waiting for");
        }
        cleanUp();
        directory.close();
    }

    /**
     * Lays out the server's own files.
     *
     * @param replace whether the application is going to be replaced
     * @return the command, with the server's JVM options before {@code -jar}
     */
    abstract List<String> prepare(boolean replace) throws IOException;

    /** Environment variables for the server itself. */
    Map<String, String> environment() {
        return Map.of();
    }

    /** Lays out the server's own files without the application, and returns their names and ports. */
    Map<String, String> forAdapter() throws IOException {
        throw new ServerFailedException(name + " can't be started by an external tool yet");
    }

    /** The text that the server logs at the end of its start, even if the application failed. */
    abstract String startedText();

    /** An argument of the command that only this server has: it names this directory. */
    abstract String proof();

    /** Called after the end, to delete what is no longer needed. */
    abstract void cleanUp();

    final void await(String what, BooleanSupplier happened) {
        process.await(
                happened, DEPLOYED_WITHIN, () -> what + " did not happen within " + DEPLOYED_WITHIN.toSeconds() + " s");
    }

    final Path root(String file) {
        return directory.root().resolve(file);
    }

    private Path pidFile() {
        return root("server.pid");
    }
}

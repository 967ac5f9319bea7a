package io.outboxed.faults;

import io.outboxed.faults.history.Micros;
import io.outboxed.faults.history.Outages;
import io.outboxed.faults.wire.Conversation;
import io.outboxed.faults.wire.Wire;
import io.outboxed.servers.ApplicationServer;
import io.outboxed.servers.ServerSetup;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One server with the application, behind a proxy of its own. Used by one thread at a time. */
final class Node implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final long POLL_MILLIS = 100;
    private static final String READY = "/faults/control/ready";
    private static final List<String> SMALL = List.of("-Xmx320m", "-Xss512k");

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5))
            .build();
    private final String name;
    private final Optional<Path> wildFly;
    private final Optional<Path> wrongClock;
    private final Settings settings;
    private final Storage storage;
    private final Outages outages;
    private final List<Path> journals = new ArrayList<>();
    final Wire wire;
    private ApplicationServer server;
    private Outages.Outage down;
    private volatile boolean nextVersion;

    /**
     * @param wildFly WildFly's zip; empty for Payara Micro
     * @param wrongClock libfaketime if its clock is to be wrong
     */
    Node(
            String name,
            Optional<Path> wildFly,
            Optional<Path> wrongClock,
            Settings settings,
            Storage storage,
            Outages outages) {
        this.name = name;
        this.wildFly = wildFly;
        this.wrongClock = wrongClock;
        this.settings = settings;
        this.storage = storage;
        this.outages = outages;
        this.wire = new Wire(storage.port(), () -> Conversation.with(settings.database()));
        this.down = outages.begin(name, "not started yet");
    }

    String name() {
        return name;
    }

    /** Whether it runs the next version of the application. */
    boolean isNextVersion() {
        return nextVersion;
    }

    /** Gets this version of the application: in the running server if that is possible, else by a restart. */
    void change(boolean next) {
        nextVersion = next;
        if (wildFly.isEmpty()) {
            stop();
            start();
            return;
        }
        down = outages.begin(name, Outages.REDEPLOYED);
        server.redeploy(application(), () -> outages.gone(name));
        server.awaitAnswer(READY);
        awaitJoin(server);
        down.end();
    }

    /** One journal for each start. */
    List<Path> journals() {
        return journals;
    }

    /** Returns once the application answers. Each start has a directory of its own, so that no log is overwritten. */
    void start() {
        Path directory = settings.directory().resolve(name + "-" + (journals.size() + 1));
        journals.add(directory.resolve("journal"));
        ServerSetup setup = ServerSetup.of(
                wildFly.isPresent() ? "wildfly" : "payara",
                wildFly.orElse(settings.payara()),
                application(),
                directory);
        setup = setup.shortLived();
        for (String option : SMALL) {
            setup = setup.with(option);
        }
        for (String setting : storage.settings(wire)) {
            setup = setup.with("-D" + setting);
        }
        setup = setup.with("-Doutbox.node-label=" + name)
                .with("-Doutbox.relay.claim=" + settings.claim())
                .with("-Dfaults.node=" + name)
                .with("-Dfaults.journal=" + directory.resolve("journal").toAbsolutePath());
        if (wrongClock.isPresent()) {
            setup = setup.with("-Dfaults.clock-off-micros=" + Micros.of(WrongClock.off(settings.seed())));
        }
        ApplicationServer started = ApplicationServer.of(setup);
        server = started;
        started.start(wrongClock
                        .map(library -> WrongClock.environment(library, WrongClock.off(settings.seed())))
                        .orElse(Map.of()))
                .awaitAnswer(READY);
        awaitJoin(started);
        down.end();
    }

    /** In the background, because the next fault may come before that. */
    private void awaitJoin(ApplicationServer of) {
        Outages.Outage joining = outages.begin(Outages.joining(name), "not joined yet");
        Thread thread = new Thread(
                () -> {
                    while (isAlive(of) && !hasJoined(of)) {
                        Pause.millis(POLL_MILLIS);
                    }
                    joining.end();
                },
                name + " joining");
        thread.setDaemon(true);
        thread.start();
    }

    private boolean hasJoined(ApplicationServer of) {
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + of.healthPort() + "/health/ready"))
                .timeout(PATIENCE)
                .build();
        try {
            return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    void kill() {
        requireRunning();
        down = outages.begin(name, Outages.KILLED);
        server.kill();
        outages.gone(name);
        server.close();
    }

    /** Sends SIGTERM: the node releases its shards. */
    void stop() {
        requireRunning();
        long asked = Micros.now();
        down = outages.begin(name, Outages.STOPPED);
        if (!server.stop()) {
            outages.add(name, Outages.KILLED, asked, Micros.now());
        }
        outages.gone(name);
        server.close();
    }

    /** A node that has ended by itself is a finding, and not a fault of the plan. */
    private void requireRunning() {
        if (!isAlive(server)) {
            throw new IllegalStateException(name + " has ended by itself");
        }
    }

    private static boolean isAlive(ApplicationServer server) {
        return ProcessHandle.of(server.pid()).map(ProcessHandle::isAlive).orElse(false);
    }

    Outages.Outage disturb(String why) {
        return outages.disturb(name, why);
    }

    Outages.Outage cutOff(String why) {
        return outages.begin(name, why);
    }

    void freezeFor(long millis) {
        Outages.Outage frozen = outages.begin(name, Outages.FROZEN);
        signal("-STOP");
        Pause.millis(millis);
        signal("-CONT");
        frozen.end();
    }

    /** @return the response, or null if there was none */
    String post(String path) {
        return post(path, PATIENCE);
    }

    /** A run whose nodes do not do this would show nothing. */
    String require(String path) {
        String answer = post(path);
        if (answer == null) {
            throw new IllegalStateException(name + " did not answer to " + path);
        }
        return answer;
    }

    /** @return the response, or null if there was none in this time */
    String post(String path, Duration patience) {
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + server.port() + "/faults/control/" + path))
                .timeout(patience)
                .POST(HttpRequest.BodyPublishers.noBody())
                .build();
        try {
            HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
            return answer.statusCode() < 300 ? answer.body() : null;
        } catch (IOException e) {
            return null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    @Override
    public void close() {
        if (server != null) {
            server.kill();
            server.close();
        }
        wire.close();
    }

    private Path application() {
        return nextVersion ? settings.next() : settings.war();
    }

    private void signal(String name) {
        try {
            int code = new ProcessBuilder("kill", name, Long.toString(server.pid()))
                    .start()
                    .waitFor();
            if (code != 0) {
                throw new IllegalStateException(
                        this.name + " was not running any more: kill " + name + " ended with " + code);
            }
        } catch (IOException e) {
            throw new IllegalStateException("no signal could be sent", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

package io.outboxed.bench.systems;

import io.outboxed.bench.Options;
import io.outboxed.bench.Say;
import io.outboxed.bench.database.BenchDatabase;
import io.outboxed.servers.ApplicationServer;
import io.outboxed.servers.ServerSetup;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** An application server with the bench application, and a client for its control API. */
public final class Node implements AutoCloseable {
    private static final Duration LONGEST_RUN = Duration.ofHours(1);
    private static final long HANDLED_WITHIN_MILLIS = 60_000;

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(10))
            .build();
    private final ApplicationServer server;
    private final String application;
    private final String prefix;

    private Node(ApplicationServer server, String application, String prefix) {
        this.server = server;
        this.application = application;
        this.prefix = prefix;
    }

    /**
     * Returns when the application answers.
     *
     * @param prefix of its outbox's tables
     * @param config settings of the library, for example {@code outbox.relay.workers=16}
     */
    public static Node start(
            String name, Path war, String prefix, BenchDatabase database, Options options, List<String> config) {
        Say.progress("starting %s: %s", options.server(), name);
        ServerSetup setup = ServerSetup.of(
                options.server(),
                options.distribution(),
                war,
                options.directory().resolve(name));
        for (String option : options.jvm()) {
            setup = setup.with(option);
        }
        for (String setting : settings(prefix, database, options, config)) {
            setup = setup.with("-D" + setting);
        }
        ApplicationServer server = ApplicationServer.of(setup);
        String application = war.getFileName().toString().replace(".war", "");
        try {
            server.start(Map.of()).awaitAnswer("/" + application + "/control/figures");
        } catch (RuntimeException e) {
            server.close();
            throw e;
        }
        return new Node(server, application, prefix);
    }

    private static List<String> settings(String prefix, BenchDatabase database, Options options, List<String> config) {
        return List.of(
                        List.of(
                                "outbox.datasource.url=" + database.url(),
                                "outbox.datasource.user=" + database.user(),
                                "outbox.datasource.password=" + database.password(),
                                "outbox.table-prefix=" + prefix),
                        options.config(),
                        config)
                .stream()
                .flatMap(List::stream)
                .toList();
    }

    public String prefix() {
        return prefix;
    }

    public long pid() {
        return server.pid();
    }

    public void reset() {
        post("figures/reset");
    }

    public Map<String, Long> figures() {
        return get("figures");
    }

    /** From the first call on; what the table shows is later, and can't tell events apart. */
    public static double callsPerSecond(Map<String, Long> figures, String calls, String last) {
        return figures.get(calls) / ((figures.get(last) - figures.get("first")) / 1e9);
    }

    /** Returns once the node has handled this many messages since {@link #reset()}. */
    public Map<String, Long> awaitHandled(long messages) {
        while (true) {
            Map<String, Long> figures = get("figures?until=" + messages + "&millis=" + HANDLED_WITHIN_MILLIS);
            if (figures.get("handled") >= messages) {
                return figures;
            }
            Say.progress("  %,d of %,d handled", figures.get("handled"), messages);
        }
    }

    /** @return the used bytes after a full collection */
    public long heapInUse() {
        return post("figures/heap").get("used");
    }

    public Map<String, Long> get(String path) {
        return numbers(send(HttpRequest.newBuilder(uri(path)).GET()));
    }

    public Map<String, Long> post(String path) {
        return numbers(send(HttpRequest.newBuilder(uri(path)).POST(HttpRequest.BodyPublishers.noBody())));
    }

    public List<String> lines(String path) {
        return send(HttpRequest.newBuilder(uri(path)).GET()).lines().toList();
    }

    private URI uri(String path) {
        return URI.create("http://127.0.0.1:" + server.port() + "/" + application + "/control/" + path);
    }

    private String send(HttpRequest.Builder request) {
        try {
            HttpResponse<String> answer =
                    http.send(request.timeout(LONGEST_RUN).build(), HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() != 200) {
                throw new IllegalStateException(answer.uri() + " answered " + answer.statusCode() + ": "
                        + answer.body().lines().limit(20).collect(Collectors.joining("\n")) + "\nThe server's log: "
                        + server.log());
            }
            return answer.body();
        } catch (IOException e) {
            throw new IllegalStateException("the application does not answer; its server's log: " + server.log(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private static Map<String, Long> numbers(String answer) {
        Map<String, Long> numbers = new HashMap<>();
        answer.lines().forEach(line -> {
            int middle = line.indexOf('=');
            numbers.put(line.substring(0, middle), Long.parseLong(line.substring(middle + 1)));
        });
        return numbers;
    }

    @Override
    public void close() {
        server.close();
    }
}

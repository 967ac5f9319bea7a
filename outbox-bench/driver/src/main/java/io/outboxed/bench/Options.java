package io.outboxed.bench;

import io.outboxed.bench.database.Product;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What to run. Each option is a system property {@code bench.<name>}; an empty one counts as not set.
 *
 * @param url your own database, instead of one that is started
 * @param databaseOptions more arguments for a database that is started, for example {@code --general-log=1}
 * @param systems what is compared: {@code outboxed}, peers, and the claim strategies {@code advisory-lock} and {@code
 *     row-lock}, which run alongside
 * @param messages in a backlog of W1, W2, W6 and W8
 * @param peerMessages the same for peers, which would take an hour for all of them
 * @param backlog the large backlog of W5
 * @param history how many handled messages W5 and W12 put into the history
 * @param seconds how long a load of W3 and W4 lasts
 * @param threads of W3
 * @param config settings of the library for all nodes, for example {@code outbox.relay.workers=16}
 * @param jvm options for the server's JVM
 * @param strict whether a missed target fails the run
 * @param before another build's WAR of the bench application, which is run alongside the current one as the system
 *     {@code before}
 * @param beforeConfig more settings of the library for the nodes of {@code before}; with the current build's own WAR as
 *     {@code before}, a run compares two settings
 */
public record Options(
        List<String> workloads,
        List<Product> databases,
        String url,
        String user,
        String password,
        List<String> databaseOptions,
        String server,
        Path distribution,
        Path war,
        Path before,
        List<String> beforeConfig,
        Path directory,
        Path report,
        List<String> systems,
        int runs,
        int messages,
        int peerMessages,
        int aggregates,
        int backlog,
        int history,
        int warmUp,
        Duration seconds,
        List<Integer> threads,
        List<String> config,
        List<String> jvm,
        boolean strict) {

    public static final String PREFIX = "bench.";

    /** The keys of the defaults are the known options. */
    private static final Map<String, String> DEFAULTS = new TreeMap<>(Map.ofEntries(
            Map.entry("workloads", "W1,W2,W3,W4,W5,W6,W7,W8,W9,W11,W12"),
            Map.entry("database", "mysql,postgresql"),
            Map.entry("url", ""),
            Map.entry("user", "outbox"),
            Map.entry("password", "outbox"),
            Map.entry("database-options", ""),
            Map.entry("server", "payara"),
            Map.entry("distribution", ""),
            Map.entry("war", ""),
            Map.entry("before", ""),
            Map.entry("before-config", ""),
            Map.entry("directory", "target/bench"),
            Map.entry("report", ""),
            Map.entry("systems", "outboxed,limit,gruelbox"),
            Map.entry("runs", "3"),
            Map.entry("messages", "100000"),
            Map.entry("peer-messages", "5000"),
            Map.entry("aggregates", "10000"),
            Map.entry("backlog", "1000000"),
            Map.entry("history", "5000000"),
            Map.entry("warm-up", "25000"),
            Map.entry("seconds", "10"),
            Map.entry("threads", "1,4,8,16"),
            Map.entry("config", ""),
            Map.entry("strict", "false"),
            Map.entry("jvm", "-Xmx1g")));

    /** @throws IllegalArgumentException if an option is unknown or not a number although one is required */
    public static Options of(Map<String, String> properties) {
        Map<String, String> values = new TreeMap<>(DEFAULTS);
        properties.forEach((key, value) -> {
            if (key.startsWith(PREFIX) && !value.isBlank()) {
                String name = key.substring(PREFIX.length());
                if (!DEFAULTS.containsKey(name)) {
                    throw new IllegalArgumentException(key + " is not an option of the benchmark. Options: bench."
                            + String.join(", bench.", names()));
                }
                values.put(name, value.strip());
            }
        });
        return new Values(values).options();
    }

    static List<String> names() {
        return List.copyOf(new TreeSet<>(DEFAULTS.keySet()));
    }

    /** Whether this is a full run: the figures of a smaller one must not replace those. */
    public boolean isFull() {
        Options full = of(Map.of());
        return before == null
                && config.isEmpty()
                && databaseOptions.isEmpty()
                && url.isEmpty()
                && jvm.equals(full.jvm)
                && systems.containsAll(full.systems)
                && threads.containsAll(full.threads)
                && aggregates == full.aggregates
                && warmUp >= full.warmUp
                && peerMessages >= full.peerMessages
                && messages >= full.messages
                && runs >= full.runs
                && backlog >= full.backlog
                && history >= full.history
                && seconds.compareTo(full.seconds) >= 0;
    }

    public boolean has(String system) {
        return systems.contains(system);
    }

    private record Values(Map<String, String> all) {

        Options options() {
            return new Options(
                    list("workloads").stream()
                            .map(id -> id.toUpperCase(Locale.ROOT))
                            .toList(),
                    list("database").stream().map(Product::named).toList(),
                    text("url"),
                    text("user"),
                    text("password"),
                    arguments("database-options"),
                    text("server"),
                    path("distribution"),
                    path("war"),
                    path("before"),
                    list("before-config"),
                    path("directory"),
                    path("report"),
                    list("systems"),
                    number("runs"),
                    number("messages"),
                    number("peer-messages"),
                    number("aggregates"),
                    number("backlog"),
                    number("history"),
                    number("warm-up"),
                    Duration.ofSeconds(number("seconds")),
                    list("threads").stream()
                            .map(each -> number("threads", each))
                            .toList(),
                    list("config"),
                    arguments("jvm"),
                    Boolean.parseBoolean(text("strict")));
        }

        private String text(String name) {
            return all.get(name);
        }

        private Path path(String name) {
            return text(name).isEmpty()
                    ? null
                    : Path.of(text(name)).toAbsolutePath().normalize();
        }

        private List<String> list(String name) {
            return Arrays.stream(text(name).split("[,\\s]+"))
                    .filter(each -> !each.isEmpty())
                    .toList();
        }

        /** Separated by spaces only, because arguments may contain commas. */
        private List<String> arguments(String name) {
            return Arrays.stream(text(name).split("\\s+"))
                    .filter(each -> !each.isEmpty())
                    .toList();
        }

        private int number(String name) {
            return number(name, text(name));
        }

        private static int number(String name, String value) {
            try {
                return Integer.parseInt(value.replace("_", ""));
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException(
                        PREFIX + name + " is '" + value + "', which is not a whole number", e);
            }
        }
    }
}

package io.outboxed.bench.workloads;

import io.outboxed.bench.Options;
import io.outboxed.bench.database.Backlog;
import io.outboxed.bench.database.BenchDatabase;
import io.outboxed.bench.database.Shape;
import io.outboxed.bench.report.Report;
import io.outboxed.bench.systems.Drainer;
import io.outboxed.bench.systems.GruelboxDrainer;
import io.outboxed.bench.systems.JdbcLoopDrainer;
import io.outboxed.bench.systems.LimitDrainer;
import io.outboxed.bench.systems.Node;
import io.outboxed.bench.systems.NodeDrainer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** What runs on one database: its backlog, the nodes, and the systems they are compared with. */
public final class Stage implements AutoCloseable {
    private static final int WARM_UPS = 4;
    /** The prefixes of the tables of other claim strategies, by the strategy. */
    private static final Map<String, String> CLAIMS =
            new TreeMap<>(Map.of("advisory-lock", "locks_", "row-lock", "rows_"));

    private final Options options;
    private final BenchDatabase database;
    private final Backlog backlog;
    private final Report report;
    private final Fleet current;
    /** Null if the options name no other build. */
    private final Fleet before;
    /** The current build with each of the other claim strategies that the options select. */
    private final List<Fleet> claims;

    private final Map<String, Drainer> drainers = new LinkedHashMap<>();
    private final Set<String> warm = new HashSet<>();

    public Stage(Options options, BenchDatabase database, Report report) {
        this.options = options;
        this.database = database;
        this.backlog = new Backlog(database);
        this.report = report;
        this.current = fleet("outboxed", options.war(), "outbox_", List.of());
        this.before =
                options.before() == null ? null : fleet("before", options.before(), "before_", options.beforeConfig());
        this.claims = CLAIMS.entrySet().stream()
                .filter(claim -> options.has(claim.getKey()))
                .map(claim -> fleet(
                        claim.getKey(),
                        options.war(),
                        claim.getValue(),
                        List.of("outbox.relay.claim=" + claim.getKey())))
                .toList();
    }

    private Fleet fleet(String build, Path war, String prefix, List<String> always) {
        return new Fleet(
                build,
                war,
                prefix,
                database,
                options,
                always,
                () -> warm.removeIf(each -> each.startsWith(build + " ")));
    }

    public Options options() {
        return options;
    }

    public BenchDatabase database() {
        return database;
    }

    public Backlog backlog() {
        return backlog;
    }

    public Report report() {
        return report;
    }

    /** Afterwards exactly this number of nodes of the current build runs, with the default settings. */
    List<Node> nodes(int count) {
        return nodes(count, List.of());
    }

    /** @param config settings of the library; nodes with other settings are stopped */
    List<Node> nodes(int count, List<String> config) {
        return current.nodes(count, config);
    }

    /** What is compared: the current build, another one, and other claim strategies, as far as the options name them. */
    List<Fleet> builds() {
        return Stream.concat(Stream.of(current, before).filter(Objects::nonNull), claims.stream())
                .toList();
    }

    /** Nodes of the current build on tables of their own. */
    Fleet others(String name, String prefix) {
        return fleet(name, options.war(), prefix, List.of());
    }

    /** A build with exactly this number of nodes, and the default settings. */
    NodeDrainer drainer(Fleet build, int count) {
        return new NodeDrainer(build.build(), database, backlog, build.nodes(count, List.of()));
    }

    /** Outboxed on one node with the default settings, and the systems that the options select for comparison. */
    List<Drainer> drainers(String... besides) {
        List<Drainer> all = new ArrayList<>();
        if (options.has("outboxed")) {
            all.add(drainer(current, 1));
        }
        if (before != null) {
            all.add(drainer(before, 1));
        }
        claims.forEach(claim -> all.add(drainer(claim, 1)));
        for (String name : besides) {
            if (options.has(name) || name.equals("jdbc-loop") && options.has("limit")) {
                all.add(drainers.computeIfAbsent(name, this::drainer));
            }
        }
        return all;
    }

    private Drainer drainer(String name) {
        return switch (name) {
            case "limit" -> new LimitDrainer(database, backlog);
            case "jdbc-loop" -> new JdbcLoopDrainer(database, backlog);
            case "gruelbox" -> new GruelboxDrainer(database, options.peerMessages());
            default -> throw new IllegalArgumentException("no system is called " + name);
        };
    }

    /** The node of the other build, with these settings of the library; empty if the options name no other build. */
    Optional<Node> before(List<String> config) {
        return Optional.ofNullable(before).map(fleet -> fleet.nodes(1, config).get(0));
    }

    /** Drains until the code that the shape needs is compiled. */
    void warmUp(Drainer drainer, Shape shape) {
        if (warm.add(drainer.name() + " " + shape.type() + " " + shape.payloadBytes())) {
            for (int i = 0; i < WARM_UPS; i++) {
                drainer.drain(shape.withMessages(drainer.messagesOf(Math.min(shape.messages(), options.warmUp()))));
            }
        }
    }

    @Override
    public void close() {
        builds().forEach(Fleet::close);
        drainers.values().forEach(Drainer::close);
    }
}

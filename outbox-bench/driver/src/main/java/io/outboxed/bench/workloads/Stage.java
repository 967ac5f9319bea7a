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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What runs on one database: its backlog, the nodes, and the systems they are compared with. */
public final class Stage implements AutoCloseable {
    private static final String PREFIX = "outbox_";
    private static final String BEFORE = "before_";
    private static final int WARM_UPS = 4;

    private final Options options;
    private final BenchDatabase database;
    private final Backlog backlog;
    private final Report report;
    private final Deque<Node> nodes = new ArrayDeque<>();
    private final Map<String, Drainer> drainers = new LinkedHashMap<>();
    private final Set<String> warm = new HashSet<>();
    private List<String> config = List.of();
    private Node before;
    private List<String> beforeConfig = List.of();

    public Stage(Options options, BenchDatabase database, Report report) {
        this.options = options;
        this.database = database;
        this.backlog = new Backlog(database);
        this.report = report;
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

    /** Afterwards exactly this number of nodes runs, with the default settings. */
    List<Node> nodes(int count) {
        return nodes(count, List.of());
    }

    /** @param wanted settings of the library; nodes with other settings are stopped */
    List<Node> nodes(int count, List<String> wanted) {
        if (!wanted.equals(config)) {
            endNodes(0);
            config = List.copyOf(wanted);
        }
        endNodes(count);
        while (nodes.size() < count) {
            nodes.addLast(Node.start("node-" + (nodes.size() + 1), options.war(), PREFIX, database, options, config));
        }
        return List.copyOf(nodes);
    }

    private void endNodes(int left) {
        while (nodes.size() > left) {
            nodes.removeLast().close();
            warm.removeIf(each -> each.startsWith("outboxed"));
        }
    }

    /** Outboxed on one node with the default settings, and the systems that the options select for comparison. */
    List<Drainer> drainers(String... besides) {
        List<Drainer> all = new ArrayList<>();
        if (options.has("outboxed")) {
            all.add(new NodeDrainer("outboxed", database, backlog, nodes(1)));
        }
        if (options.before() != null) {
            all.add(new NodeDrainer("before", database, backlog, List.of(before())));
        }
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

    private Node before() {
        return before(List.of()).orElseThrow();
    }

    /** The node of the other build, with these settings of the library; empty if the options name no other build. */
    Optional<Node> before(List<String> wanted) {
        if (before != null && !wanted.equals(beforeConfig)) {
            before.close();
            before = null;
            warm.removeIf(each -> each.startsWith("before"));
        }
        if (before == null && options.before() != null) {
            before = Node.start("before", options.before(), BEFORE, database, options, wanted);
            beforeConfig = List.copyOf(wanted);
        }
        return Optional.ofNullable(before);
    }

    /** Drains until the code that the shape needs is compiled. */
    void warmUp(Drainer drainer, Shape shape) {
        if (warm.add(drainer.name() + " " + shape.type())) {
            for (int i = 0; i < WARM_UPS; i++) {
                drainer.drain(shape.withMessages(drainer.messagesOf(Math.min(shape.messages(), options.warmUp()))));
            }
        }
    }

    @Override
    public void close() {
        endNodes(0);
        if (before != null) {
            before.close();
        }
        drainers.values().forEach(Drainer::close);
    }
}

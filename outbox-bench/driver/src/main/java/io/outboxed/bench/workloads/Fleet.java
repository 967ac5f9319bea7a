package io.outboxed.bench.workloads;

import io.outboxed.bench.Options;
import io.outboxed.bench.database.BenchDatabase;
import io.outboxed.bench.systems.Node;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;

/** The running nodes of one build, which share tables and settings. */
final class Fleet implements AutoCloseable {
    private final String build;
    private final Path war;
    private final String prefix;
    private final BenchDatabase database;
    private final Options options;
    private final List<String> always;
    private final Runnable changed;
    private final Deque<Node> nodes = new ArrayDeque<>();
    private List<String> config = List.of();

    /**
     * @param always settings of the library for all nodes of this build
     * @param changed called when a node was started or stopped: the next drain is not warm
     */
    Fleet(
            String build,
            Path war,
            String prefix,
            BenchDatabase database,
            Options options,
            List<String> always,
            Runnable changed) {
        this.build = build;
        this.war = war;
        this.prefix = prefix;
        this.database = database;
        this.options = options;
        this.always = always;
        this.changed = changed;
    }

    /** The name in result lines. */
    String build() {
        return build;
    }

    /**
     * Afterwards exactly this number of nodes runs.
     *
     * @param wanted settings of the library; nodes with other settings are stopped
     */
    List<Node> nodes(int count, List<String> wanted) {
        if (!wanted.equals(config)) {
            endNodes(0);
            config = List.copyOf(wanted);
        }
        endNodes(count);
        List<String> settings = Stream.concat(always.stream(), config.stream()).toList();
        while (nodes.size() < count) {
            String name = build + "-" + (nodes.size() + 1);
            nodes.addLast(Node.start(name, war, prefix, database, options, settings));
            changed.run();
        }
        return List.copyOf(nodes);
    }

    private void endNodes(int left) {
        while (nodes.size() > left) {
            nodes.removeLast().close();
            changed.run();
        }
    }

    @Override
    public void close() {
        endNodes(0);
    }
}

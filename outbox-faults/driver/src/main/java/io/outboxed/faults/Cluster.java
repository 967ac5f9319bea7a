package io.outboxed.faults;

import io.outboxed.faults.history.Outages;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

/** The nodes, and which of them have a fault at the moment. */
final class Cluster implements AutoCloseable {
    static final int WITH_WRONG_CLOCK = 2;

    private final Settings settings;
    private final List<Node> nodes;
    private final Map<Node, CompletableFuture<?>> hurt = new HashMap<>();
    private final ExecutorService threads = Executors.newCachedThreadPool(work -> {
        Thread thread = new Thread(work, "fault");
        thread.setDaemon(true);
        return thread;
    });
    private volatile boolean writing = true;
    private volatile RuntimeException broken;

    /** @param wrongClock libfaketime if the clock of the second node is to be wrong */
    Cluster(Settings settings, Storage storage, Outages outages, Optional<Path> wrongClock) {
        this.settings = settings;
        this.nodes = IntStream.rangeClosed(1, Settings.NODES)
                .mapToObj(i -> new Node(
                        "node-" + i,
                        i == Settings.NODES ? settings.wildFly() : Optional.empty(),
                        i == WITH_WRONG_CLOCK ? wrongClock : Optional.empty(),
                        settings,
                        storage,
                        outages))
                .toList();
    }

    void start() {
        nodes.forEach(node -> hurt(node, () -> begin(node)));
        awaitRecovery();
    }

    /** Starts a node, with its writers if writing is enabled. */
    void begin(Node node) {
        node.start();
        write(node);
    }

    void change(Node node, boolean next) {
        node.change(next);
        write(node);
    }

    private void write(Node node) {
        if (writing) {
            node.require("write?rate=" + settings.rate());
        }
    }

    /**
     * @return the victim, or the next healthy node; null if there is none, or if it is the last one and is to be spared
     */
    synchronized Node victim(int first, boolean spareTheLast) {
        List<Node> well = new ArrayList<>();
        for (int i = 0; i < nodes.size(); i++) {
            Node node = nodes.get((first + i) % nodes.size());
            if (isWell(node)) {
                well.add(node);
            }
        }
        return well.isEmpty() || spareTheLast && well.size() == 1 ? null : well.get(0);
    }

    /** How many nodes have no fault. */
    synchronized int well() {
        return (int) nodes.stream().filter(this::isWell).count();
    }

    private boolean isWell(Node node) {
        return hurt.get(node) == null || hurt.get(node).isDone();
    }

    /** Runs the fault in the background; no other fault hits the node until it is over. */
    synchronized CompletableFuture<?> hurt(Node node, Runnable fault) {
        CompletableFuture<?> over = background(fault);
        hurt.put(node, over);
        return over;
    }

    CompletableFuture<?> background(Runnable work) {
        return CompletableFuture.runAsync(
                () -> {
                    try {
                        work.run();
                    } catch (RuntimeException e) {
                        broken = e;
                        throw e;
                    }
                },
                threads);
    }

    /** Waits until all faults are over and every node is up. */
    void awaitRecovery() {
        List<CompletableFuture<?>> all;
        synchronized (this) {
            all = List.copyOf(hurt.values());
        }
        all.forEach(CompletableFuture::join);
    }

    /** After all faults are over, gives the nodes in turn the version that fewer of them have. */
    void rollOver() {
        awaitRecovery();
        boolean next = nodes.stream().filter(Node::isNextVersion).count() < (nodes.size() + 1) / 2;
        for (Node node : nodes) {
            hurt(node, () -> change(node, next));
            awaitRecovery();
        }
    }

    /** What only the next version can do must not be left at the end. */
    void ensureNextVersion() {
        if (nodes.stream().noneMatch(Node::isNextVersion)) {
            change(nodes.get(0), true);
        }
    }

    WriterCounts quiet() {
        writing = false;
        awaitRecovery();
        return WriterCounts.of(nodes.stream().map(node -> node.require("quiet")).toList());
    }

    List<Node> nodes() {
        return nodes;
    }

    List<String> names() {
        return nodes.stream().map(Node::name).toList();
    }

    List<Path> journals() {
        return nodes.stream().flatMap(node -> node.journals().stream()).toList();
    }

    /** Fails if the harness itself could not do what was intended. */
    void check() {
        if (broken != null) {
            throw new IllegalStateException("a fault could not be injected or repaired", broken);
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
        nodes.forEach(Node::close);
    }
}

package io.outboxed.bench.workloads;

import io.outboxed.bench.Say;
import io.outboxed.bench.report.Result;
import io.outboxed.bench.report.Sample;
import io.outboxed.bench.report.TargetCheck;
import io.outboxed.bench.systems.PacedGruelbox;
import io.outboxed.bench.systems.PacedNode;
import io.outboxed.bench.systems.Travel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** W4: how long is it from the commit to the handler, on the node that published and on another one? */
public final class Latency implements Workload {
    private static final double CALM_RATE = 200;
    private static final int CALM_LENGTHS = 3;
    private static final int PUBLISHERS = 8;
    private static final int WARM_UPS = 3;
    private static final double P50_MILLIS = 0.5;
    private static final double P99_MILLIS = 5;
    private static final Map<Integer, Double> BUSY_P99_MILLIS = Map.of(50, 10.0, 90, 50.0);
    /**
     * While rows arrive, the pause between two polls is 10 ms, and twice that after an empty poll; this is twice that
     * again.
     */
    private static final double ELSEWHERE_P99_MILLIS = 40;

    @Override
    public String id() {
        return "W4";
    }

    @Override
    public String what() {
        return "from commit to handler at a given rate, same node and other node";
    }

    @Override
    public void run(Stage stage) {
        sameNode(stage);
        twoNodes(stage);
    }

    private void sameNode(Stage stage) {
        PacedNode node = new PacedNode(stage.nodes(1));
        Map<String, PacedNode> builds = new LinkedHashMap<>();
        builds.put("outboxed", node);
        stage.before(List.of()).ifPresent(before -> builds.put("before", new PacedNode(List.of(before))));
        Duration length = stage.options().seconds();
        builds.values().forEach(build -> build.run(CALM_RATE, PUBLISHERS, length));
        double ceiling = ceilings(stage, builds).get("outboxed");
        calm(stage, builds, length.multipliedBy(CALM_LENGTHS));
        for (int percent : List.of(50, 90)) {
            busy(stage, builds, percent, ceiling * percent / 100);
        }
    }

    private void busy(Stage stage, Map<String, PacedNode> builds, int percent, double rate) {
        Map<String, Latencies> latencies = new LinkedHashMap<>();
        for (int round = 1; round <= stage.options().runs(); round++) {
            for (String build : Turns.of(builds.keySet(), round)) {
                latencies
                        .computeIfAbsent(build, key -> new Latencies())
                        .add(builds.get(build)
                                .run(rate, PUBLISHERS, stage.options().seconds())
                                .here());
            }
        }
        String variant = "same node at " + percent + " % of the ceiling";
        latencies.forEach((build, all) -> all.report(stage, id(), variant, build));
        atMost(
                stage,
                variant + ": p99 in ms",
                BUSY_P99_MILLIS.get(percent),
                latencies.get("outboxed").median("commit_to_handler_p99_ms"));
    }

    /** Events per second by build: the median of its rounds. */
    private Map<String, Double> ceilings(Stage stage, Map<String, PacedNode> builds) {
        Map<String, List<Double>> rates = new LinkedHashMap<>();
        for (int round = 1; round <= WARM_UPS + stage.options().runs(); round++) {
            for (String build : Turns.of(builds.keySet(), round)) {
                double rate =
                        builds.get(build).ceiling(PUBLISHERS, stage.options().seconds());
                if (round > WARM_UPS) {
                    rates.computeIfAbsent(build, key -> new ArrayList<>()).add(rate);
                }
            }
        }
        if (rates.containsKey(AgainstBefore.BEFORE)) {
            AgainstBefore.rates(stage, id(), "ceiling", rates.get("outboxed"), rates.get(AgainstBefore.BEFORE));
        }
        Map<String, Double> medians = new LinkedHashMap<>();
        rates.forEach((build, all) -> medians.put(build, reported(stage, build, Sample.of(all))));
        return medians;
    }

    private double reported(Stage stage, String build, Sample ceiling) {
        Say.progress("W4: published and handled on one node, %s: %,.0f/s", build, ceiling.median());
        stage.report()
                .add(new Result(
                        id(),
                        "ceiling",
                        build,
                        stage.database().id(),
                        "published_and_handled_per_second",
                        ceiling,
                        null));
        return ceiling.median();
    }

    private void calm(Stage stage, Map<String, PacedNode> builds, Duration length) {
        Map<String, Latencies> latencies = new LinkedHashMap<>();
        try (PacedGruelbox peer = stage.options().has("gruelbox") ? new PacedGruelbox(stage.database()) : null) {
            if (peer != null) {
                peer.run(CALM_RATE, stage.options().seconds());
            }
            for (int round = 1; round <= stage.options().runs(); round++) {
                for (String build : Turns.of(builds.keySet(), round)) {
                    List<Travel> travels = told(
                            build,
                            round,
                            builds.get(build).run(CALM_RATE, PUBLISHERS, length).here());
                    latencies.computeIfAbsent(build, key -> new Latencies()).add(travels);
                }
                if (peer != null) {
                    List<Travel> travels = told("gruelbox", round, peer.run(CALM_RATE, length));
                    latencies
                            .computeIfAbsent("gruelbox", key -> new Latencies())
                            .add(travels);
                }
            }
        }
        String variant = "same node at 200/s";
        latencies.forEach((system, all) -> all.report(stage, id(), variant, system));
        Latencies ours = latencies.get("outboxed");
        atMost(stage, variant + ": p50 in ms", P50_MILLIS, ours.median("commit_to_handler_p50_ms"));
        atMost(stage, variant + ": p99 in ms", P99_MILLIS, ours.median("commit_to_handler_p99_ms"));
    }

    private void twoNodes(Stage stage) {
        PacedNode nodes = new PacedNode(stage.nodes(2));
        Duration length = stage.options().seconds();
        awaitShared(nodes);
        Latencies here = new Latencies();
        Latencies elsewhere = new Latencies();
        for (int round = 1; round <= stage.options().runs(); round++) {
            PacedNode.Travels travels = nodes.run(CALM_RATE, PUBLISHERS, length.multipliedBy(CALM_LENGTHS));
            here.add(travels.here());
            elsewhere.add(told("outboxed, other node", round, travels.elsewhere()));
        }
        here.report(stage, id(), "two nodes at 200/s, handled by the publisher", "outboxed");
        elsewhere.report(stage, id(), "two nodes at 200/s, handled by the other", "outboxed");
        atMost(stage, "other node: p99 in ms", ELSEWHERE_P99_MILLIS, elsewhere.median("commit_to_handler_p99_ms"));
    }

    /** The second node has just started: waits until it has its share of the shards. */
    private static void awaitShared(PacedNode nodes) {
        for (int i = 0; i < 60; i++) {
            PacedNode.Travels travels = nodes.run(CALM_RATE, PUBLISHERS, Duration.ofSeconds(1));
            if (travels.elsewhere().size() > travels.here().size() / 2) {
                return;
            }
        }
        throw new IllegalStateException("the second node got no work");
    }

    private static List<Travel> told(String system, int round, List<Travel> travels) {
        Latencies run = new Latencies();
        run.add(travels);
        Say.progress(
                "W4 200/s run %d, %s: %,d events, commit to handler p50 %.2f ms, p99 %.2f ms",
                round,
                system,
                travels.size(),
                run.median("commit_to_handler_p50_ms"),
                run.median("commit_to_handler_p99_ms"));
        return travels;
    }

    private void atMost(Stage stage, String what, double wanted, double measured) {
        stage.report().add(TargetCheck.atMost(id(), stage.database().id(), what, wanted, measured));
    }
}

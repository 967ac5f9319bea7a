package io.outboxed.faults;

import io.outboxed.faults.history.Micros;
import io.outboxed.faults.history.Outages;
import io.outboxed.faults.history.Spans;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;

/** Carries out a plan, and records what was done when. */
final class Injection {
    private static final double SPARE_THE_LAST = 0.25;
    /** Longer than a node that answers at all takes. */
    private static final Duration LONGEST_ANSWER = Duration.ofMinutes(2);

    private final Cluster cluster;
    private final Storage storage;
    private final NodeFaults nodes;
    private final AimedKill aimed;
    private final Map<Fault, Integer> counts = new EnumMap<>(Fault.class);
    private final List<Done> done = new ArrayList<>();
    private final List<Spans.Span> rolling = new ArrayList<>();
    private CompletableFuture<?> database = CompletableFuture.completedFuture(null);
    private Agenda agenda;
    private Duration rollingTime = Duration.ZERO;

    record Done(long at, String text) {}

    Injection(Cluster cluster, Storage storage) {
        this.cluster = cluster;
        this.storage = storage;
        this.nodes = new NodeFaults(cluster);
        this.aimed = new AimedKill(nodes);
    }

    /** @param most after how many faults the plan is given up */
    void run(Plan plan, Length length, int most) {
        long begin = System.nanoTime();
        agenda = new Agenda(plan);
        while (total() < most) {
            Duration elapsed = Duration.ofNanos(System.nanoTime() - begin);
            boolean isOver = length.isOver(elapsed);
            boolean isComplete = counts().keySet().containsAll(plan.kinds());
            if (agenda.isEmpty() || isOver && isComplete || length.isOvertimeOver(elapsed, rollingTime)) {
                break;
            }
            if (isOver) {
                agenda.retainLeftOut(fault -> !counts().containsKey(fault));
            }
            Pause.millis(agenda.pauseMillis());
            cluster.check();
            agenda.turn(this::isInjected);
        }
        database.join();
        cluster.awaitRecovery();
        agenda.awaitAnswers(LONGEST_ANSWER);
        cluster.check();
    }

    private boolean isInjected(Plan.Step step) {
        String text = inject(step);
        if (text != null) {
            Console.progress("%3d faults  %s", total(), text);
        }
        return text != null;
    }

    synchronized Map<Fault, Integer> counts() {
        return Map.copyOf(counts);
    }

    private synchronized int total() {
        return total(counts);
    }

    /** How many faults these are, without what an operator did. */
    static int total(Map<Fault, Integer> counts) {
        return counts.entrySet().stream()
                .filter(count -> !count.getKey().isOperatorAction())
                .mapToInt(Map.Entry::getValue)
                .sum();
    }

    /** When all nodes were replaced in turn. */
    Spans rolling() {
        return Spans.of(rolling);
    }

    /** The last fault that began before the moment. */
    synchronized String lastBefore(long moment) {
        return done.stream()
                .filter(each -> each.at() <= moment)
                .reduce((first, second) -> second)
                .map(each -> each.text() + ", " + Micros.seconds(moment - each.at()) + " before")
                .orElse("none");
    }

    private synchronized String record(Fault fault, String text) {
        counts.merge(fault, 1, Integer::sum);
        done.add(new Done(Micros.now(), text));
        return text;
    }

    /** @return what was done or is going to be, null if it was not possible now */
    private String inject(Plan.Step step) {
        double draw = step.draw();
        return switch (step.fault()) {
            case KILL_DATABASE -> {
                boolean pastLease = draw < 0.3;
                yield database(step, pastLease ? 12_000 : 500, pastLease ? 15_000 : 4_000, storage::killFor);
            }
            case DISK_FULL -> fillDisk(step);
            case NO_NETWORK -> database(step, 3_000, 20_000, this::cutOff);
            case KILL_ALL_NODES -> killAll();
            case ROLLING_RESTART -> rollOver();
            default -> node(step);
        };
    }

    private String node(Plan.Step step) {
        Fault fault = step.fault();
        double draw = step.draw();
        // one time in four the last healthy node may be hit too
        Node node = cluster.victim(step.victim(), fault.hitsNode && draw > SPARE_THE_LAST);
        if (node == null) {
            return null;
        }
        if (AimedKill.is(fault)) {
            agenda.mayComeBack(cluster.hurt(node, () -> {
                if (!aimed.run(fault, node, draw, text -> later(fault, text))) {
                    agenda.again(step.sooner());
                }
            }));
            if (step.hasWaited() && fault == Fault.KILL_AFTER_TAKEOVER) {
                makeOneLeave(step);
            }
            return fault + " " + node.name() + " is being prepared";
        }
        long millis = NodeFaults.millis(fault, draw);
        if (ApplicationFaults.contains(fault)) {
            ask(step, node, millis);
            return fault + " " + node.name() + " " + millis + " ms is being asked for";
        }
        nodes.begin(fault, node, millis, step.victim() % 2 == 0);
        return record(fault, fault + " " + node.name() + " " + millis + " ms");
    }

    /** Near the end no other fault may leave a shard to be taken over. */
    private void makeOneLeave(Plan.Step step) {
        Node leaving = cluster.victim(step.victim(), false);
        if (leaving != null) {
            nodes.begin(Fault.RESTART_NODE, leaving, 0, false);
            later(Fault.RESTART_NODE, Fault.RESTART_NODE + " " + leaving.name() + ", for a takeover");
        }
    }

    private void later(Fault fault, String text) {
        record(fault, text);
        Console.progress("          %s", text);
    }

    private void ask(Plan.Step step, Node node, long millis) {
        Fault fault = step.fault();
        Runnable work = () -> {
            String answer = ApplicationFaults.ask(fault, node, millis);
            if (ApplicationFaults.confirms(fault, answer)) {
                later(fault, fault + " " + node.name() + " " + millis + " ms: " + answer);
            } else {
                agenda.again(step);
            }
        };
        agenda.mayComeBack(fault == Fault.EXHAUST_POOL ? cluster.hurt(node, work) : cluster.background(work));
    }

    private String database(Plan.Step step, long least, long most, LongConsumer fault) {
        if (!database.isDone()) {
            return null;
        }
        long millis = NodeFaults.between(least, most, step.draw());
        database = cluster.background(() -> fault.accept(millis));
        return record(step.fault(), step.fault() + " " + millis + " ms");
    }

    /** Counted only if the database then rejects a row. */
    private String fillDisk(Plan.Step step) {
        if (!database.isDone()) {
            return null;
        }
        long millis = NodeFaults.between(3_000, 12_000, step.draw());
        database = cluster.background(() -> {
            String refusal = storage.fillFor(millis);
            if (refusal != null) {
                later(step.fault(), step.fault() + " " + millis + " ms: " + refusal);
            } else {
                agenda.again(step);
            }
        });
        agenda.mayComeBack(database);
        return step.fault() + " " + millis + " ms is being made";
    }

    /** The database runs, but no node can reach it. */
    private void cutOff(long millis) {
        Outages.Outage outage = storage.unreachable();
        cluster.nodes().forEach(node -> node.wire.silent(true));
        Pause.millis(millis);
        cluster.nodes().forEach(node -> node.wire.silent(false));
        outage.end();
    }

    /** Nodes that already have a fault recover by themselves. */
    private String killAll() {
        if (cluster.well() < 2) {
            return null;
        }
        StringBuilder killed = new StringBuilder(Fault.KILL_ALL_NODES.name());
        for (Node node = cluster.victim(0, false); node != null; node = cluster.victim(0, false)) {
            Node victim = node;
            cluster.hurt(victim, () -> nodes.restart(victim, victim::kill, 0));
            killed.append(' ').append(victim.name());
        }
        return record(Fault.KILL_ALL_NODES, killed.toString());
    }

    /** Nothing else happens meanwhile. */
    private String rollOver() {
        long begin = System.nanoTime();
        database.join();
        cluster.awaitRecovery();
        String text = record(Fault.ROLLING_RESTART, Fault.ROLLING_RESTART.name());
        long from = Micros.now();
        cluster.rollOver();
        rolling.add(new Spans.Span(from, Micros.now()));
        rollingTime = rollingTime.plusNanos(System.nanoTime() - begin);
        return text + " within " + Micros.seconds(Micros.now() - from);
    }
}

package io.outboxed.bench.workloads;

import io.outboxed.bench.Say;
import io.outboxed.bench.report.Result;
import io.outboxed.bench.report.Sample;
import io.outboxed.bench.report.TargetCheck;
import io.outboxed.bench.systems.Node;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * W3: what does an event cost the business transaction? Four kinds of transactions in turn, all in the server, through
 * the same pool and JTA: the business row alone, with one more row by plain JDBC, with one event, with ten events. The
 * relay is switched off, because it would use part of the machine.
 */
public final class Enqueue implements Workload {
    private static final double OF_PLAIN_ROW = 1.2;
    private static final double TEN_OF_ONE = 3;
    private static final List<String> RELAY_OFF = List.of("outbox.relay.enabled=false");

    /** A kind of transaction on a node. */
    private record Kind(Node node, String mode) {
        double rate(Stage stage, int threads) {
            empty(stage, node);
            Map<String, Long> done = node.post("load/transactions?mode=" + mode + "&threads=" + threads + "&millis="
                    + stage.options().seconds().toMillis());
            return done.get("transactions") * 1e9 / done.get("nanos");
        }
    }

    private static Map<String, Kind> kinds(Stage stage) {
        Node node = stage.nodes(1, RELAY_OFF).get(0);
        Map<String, Kind> kinds = new LinkedHashMap<>();
        kinds.put("business-only", new Kind(node, "PLAIN"));
        kinds.put("limit", new Kind(node, "PLAIN_ROW"));
        kinds.put("outboxed", new Kind(node, "EVENT"));
        kinds.put("outboxed-10-events", new Kind(node, "TEN_EVENTS"));
        stage.before(RELAY_OFF).ifPresent(before -> {
            kinds.put("before", new Kind(before, "EVENT"));
            kinds.put("before-10-events", new Kind(before, "TEN_EVENTS"));
        });
        return kinds;
    }

    @Override
    public String id() {
        return "W3";
    }

    @Override
    public String what() {
        return "business transactions with and without an event, relay off";
    }

    @Override
    public void run(Stage stage) {
        stage.backlog().createOutbox("limit_");
        Map<String, Kind> kinds = kinds(stage);
        kinds.values().forEach(kind -> kind.rate(stage, 8));
        for (int threads : stage.options().threads()) {
            Map<String, List<Double>> rates = new LinkedHashMap<>();
            for (int round = 1; round <= stage.options().runs(); round++) {
                for (String system : Turns.of(kinds.keySet(), round)) {
                    double rate = kinds.get(system).rate(stage, threads);
                    rates.computeIfAbsent(system, key -> new ArrayList<>()).add(rate);
                    Say.progress("W3 %d threads run %d, %s: %,.0f transactions/s", threads, round, system, rate);
                }
            }
            report(stage, threads, rates);
        }
        kinds.values().forEach(kind -> empty(stage, kind.node()));
    }

    /** Also at the end: with the relay off all events are still there, and the next workload would deliver them. */
    private static void empty(Stage stage, Node node) {
        stage.database()
                .execute(
                        "TRUNCATE TABLE " + node.prefix() + "message",
                        "TRUNCATE TABLE limit_message",
                        "TRUNCATE TABLE bench_business");
    }

    private void report(Stage stage, int threads, Map<String, List<Double>> rates) {
        String database = stage.database().id();
        String variant = threads == 1 ? "1 thread" : threads + " threads";
        rates.forEach((system, all) -> stage.report()
                .add(new Result(
                        id(),
                        variant,
                        system,
                        database,
                        "transactions_per_second",
                        Sample.of(all),
                        Sample.ofRatios(all, rates.get("limit")).median())));
        for (String events : List.of("", "-10-events")) {
            List<Double> before = rates.get(AgainstBefore.BEFORE + events);
            if (before != null) {
                AgainstBefore.rates(
                        stage, id(), variant + events.replace('-', ' '), rates.get("outboxed" + events), before);
            }
        }
        Sample cost = extraCosts(rates, "outboxed", "limit");
        Sample ten = extraCosts(rates, "outboxed-10-events", "outboxed");
        stage.report()
                .add(new Result(id(), variant, "outboxed", database, "extra_cost_of_plain_extra_row", cost, null));
        stage.report()
                .add(new Result(id(), variant, "outboxed-10-events", database, "extra_cost_of_one_event", ten, null));
        stage.report()
                .add(TargetCheck.atMost(
                        id(),
                        database,
                        variant + ": extra time of an event against a plain row's",
                        OF_PLAIN_ROW,
                        cost.median()));
        stage.report()
                .add(TargetCheck.atMost(
                        id(),
                        database,
                        variant + ": extra time of ten events against one's",
                        TEN_OF_ONE,
                        ten.median()));
    }

    /** The additional time of one kind over the business row alone, divided by that of the other. */
    private static Sample extraCosts(Map<String, List<Double>> rates, String one, String other) {
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < rates.get(one).size(); i++) {
            double alone = 1 / rates.get("business-only").get(i);
            double below = 1 / rates.get(other).get(i) - alone;
            // noise can be larger than what is measured: such a round meets no target
            ratios.add(below > 0 ? (1 / rates.get(one).get(i) - alone) / below : Double.POSITIVE_INFINITY);
        }
        return Sample.of(ratios);
    }
}

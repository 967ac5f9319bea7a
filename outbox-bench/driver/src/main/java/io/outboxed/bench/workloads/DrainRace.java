package io.outboxed.bench.workloads;

import io.outboxed.bench.Say;
import io.outboxed.bench.database.Product;
import io.outboxed.bench.database.Shape;
import io.outboxed.bench.report.Result;
import io.outboxed.bench.report.Sample;
import io.outboxed.bench.systems.Drained;
import io.outboxed.bench.systems.Drainer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Several systems drain the same backlog in turn, A B C C B A, so that changes over time affect all of them. */
final class DrainRace {
    private final Stage stage;
    private final String workload;
    private final String variant;
    private final String limit;
    private final Map<String, List<Drained>> runs = new LinkedHashMap<>();

    /** @param limit the name of the plain JDBC system that the ratios refer to; null if there is none */
    DrainRace(Stage stage, String workload, String variant, String limit) {
        this.stage = stage;
        this.workload = workload;
        this.variant = variant;
        this.limit = limit;
    }

    DrainRace run(List<Drainer> drainers, Shape shape) {
        drainers.forEach(drainer -> stage.warmUp(drainer, shape));
        for (int round = 1; round <= stage.options().runs(); round++) {
            for (Drainer drainer : Turns.of(drainers, round)) {
                add(drainer.name(), drainer.drain(shape.withMessages(drainer.messagesOf(shape.messages()))), round);
            }
        }
        return this;
    }

    void add(String system, Drained drained, int round) {
        runs.computeIfAbsent(system, key -> new ArrayList<>()).add(drained);
        Say.progress(
                "%s %s run %d, %s: %,d messages in %.2f s, %,.0f/s",
                workload, variant, round, system, drained.messages(), drained.seconds(), drained.perSecond());
    }

    /** Reports rates, costs and ratios of all systems. */
    DrainRace report() {
        figure("messages_per_second", Drained::perSecond, true);
        cpu();
        counters();
        against("outboxed", AgainstBefore.BEFORE, variant);
        return this;
    }

    /** Compares this build with the other one, if both have run. */
    void against(String system, String before, String words) {
        if (runs.containsKey(system) && runs.containsKey(before)) {
            AgainstBefore.rates(
                    stage,
                    workload,
                    words,
                    values(runs.get(system), Drained::perSecond),
                    values(runs.get(before), Drained::perSecond));
        }
    }

    void reportBytes(int bytesOfEach) {
        figure("bytes_per_second", run -> run.perSecond() * bytesOfEach, true);
        cpu();
    }

    private void cpu() {
        figure("application_cpu_seconds_per_1000_messages", run -> run.cost().applicationCpuMillis(), false);
        if (stage.database().pid() != 0) {
            figure("database_cpu_seconds_per_1000_messages", run -> run.cost().databaseCpuMillis(), false);
        }
    }

    /** H2 has no counters. */
    private void counters() {
        if (stage.database().product() != Product.H2) {
            figure("rows_written_per_message", run -> run.cost().rowsWritten(), false);
            figure("rows_read_per_message", run -> run.cost().rowsRead(), false);
            figure("transactions_per_message", run -> run.cost().commits(), false);
        }
        if (stage.database().product().isMySqlFamily()) {
            figure("statements_per_message", run -> run.cost().statements(), false);
        }
    }

    private void figure(String metric, ToDoubleFunction<Drained> value, boolean withRatio) {
        runs.forEach((system, all) -> stage.report()
                .add(new Result(
                        workload,
                        variant,
                        system,
                        stage.database().id(),
                        metric,
                        Sample.of(values(all, value)),
                        withRatio && limit != null && runs.containsKey(limit) ? ratio(system, limit) : null)));
    }

    boolean has(String system) {
        return runs.containsKey(system);
    }

    /** The median of the runs' ratios of rates. */
    double ratio(String system, String to) {
        return Sample.ofRatios(values(runs.get(system), Drained::perSecond), values(runs.get(to), Drained::perSecond))
                .median();
    }

    double rate(String system) {
        return Sample.of(values(runs.get(system), Drained::perSecond)).median();
    }

    private static List<Double> values(List<Drained> all, ToDoubleFunction<Drained> value) {
        return all.stream().map(value::applyAsDouble).toList();
    }
}

package io.outboxed.internal.report;

import io.outboxed.internal.config.Durations;
import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.config.OutboxConfig.Relay;
import io.outboxed.internal.config.OutboxConfig.Retry;
import io.outboxed.internal.config.OutboxConfigReader;
import io.outboxed.internal.config.ShardRanges;
import io.outboxed.internal.config.UnmatchedNames;
import io.outboxed.internal.log.OutboxLog;
import io.outboxed.internal.metrics.OutboxMeters;
import io.outboxed.internal.relay.HandlerInvoker;
import io.outboxed.internal.store.HandlerKey;
import io.outboxed.internal.store.LaneHash;
import io.outboxed.internal.store.cluster.ClaimStrategy;
import io.outboxed.internal.tracing.Tracing;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.ConfigProvider;

/**
 * The report in the log after the start: what runs here, with which environment and settings, and possible problems.
 */
@Dependent
public class StartupReport {
    private final OutboxConfig config;
    private final HandlerInvoker invoker;
    private final Tracing tracing;
    private final OutboxMeters meters;

    @Inject
    StartupReport(OutboxConfig config, HandlerInvoker invoker, Tracing tracing, OutboxMeters meters) {
        this.config = config;
        this.invoker = invoker;
        this.tracing = tracing;
        this.meters = meters;
    }

    public void log(Environment environment) {
        unmatchedNames().forEach(OutboxLog::unmatchedName);
        OutboxLog.startupReport(text(environment));
    }

    /** Several lines, without secrets. */
    public String text(Environment found) {
        Relay relay = config.relay();
        return title()
                + new ReportText()
                        .line("version", Version.ofOutboxed())
                        .line("server", found.server())
                        .line("java", java())
                        .line("persistence", found.persistence())
                        .line(
                                "database",
                                found.database().product() + " at "
                                        + found.database().place())
                        .line("driver", found.database().driver())
                        .line("data source", found.dataSource())
                        .line("tables", tables())
                        .line("locking", locking())
                        .line("node", node(found))
                        .line("relay", relay(relay))
                        .line("executor", found.executor())
                        .line("wake-up", wakeUp(relay))
                        .line("metrics", meters.api())
                        .line("traces", tracing.description())
                        .lines("handlers", handlers(), "none: events of every type wait")
                        .lines("warnings", warnings(found), "none")
                        .text();
    }

    private String title() {
        return config.relay().enabled()
                ? "Outboxed is ready"
                : "Outboxed is ready to store events; this node delivers none (outbox.relay.enabled=false)";
    }

    private static String java() {
        return System.getProperty("java.version") + ", " + System.getProperty("java.vm.name") + " of "
                + System.getProperty("java.vendor");
    }

    private String tables() {
        OutboxConfig.Database database = config.database();
        return database.tablePrefix() + "*, outbox.schema="
                + database.schema().name().toLowerCase(Locale.ROOT);
    }

    private String locking() {
        if (config.relay().claim() == ClaimStrategy.ADVISORY_LOCK) {
            return "advisory locks, one for each aggregate in memory, in a session of the node that ends after "
                    + Durations.show(config.relay().lease()) + " without use; tested on two connections;"
                    + " experimental: promises 5, 8 and 10 have limits (docs/guarantees.md)";
        }
        if (config.relay().claim() == ClaimStrategy.ROW_LOCK) {
            return "one row for each aggregate in memory; row locks and SKIP LOCKED tested on two connections;"
                    + " experimental: promises 5 and 10 have limits (docs/guarantees.md)";
        }
        Set<Integer> fixed = config.relay().shards();
        return "shard leases, "
                + (fixed.isEmpty()
                        ? LaneHash.SHARDS + " shards"
                        : "only shards " + ShardRanges.show(fixed) + " of " + LaneHash.SHARDS)
                + "; row locks and SKIP LOCKED tested on two connections";
    }

    private String node(Environment found) {
        return found.node() == null
                ? "none"
                : found.node() + " (" + config.relay().label() + ")";
    }

    private static String relay(Relay relay) {
        return relay.enabled()
                ? relay.workers() + " workers, ack-batch-size " + relay.ackBatch() + ", max-in-memory "
                        + relay.maxInMemory()
                        + ", lease " + Durations.show(relay.lease()) + ", drain "
                        + Durations.show(relay.drain())
                : "disabled";
    }

    private static String wakeUp(Relay relay) {
        return relay.enabled()
                ? "after a commit on this node; otherwise polling, "
                        + Durations.show(relay.poll().min()) + " to "
                        + Durations.show(relay.poll().max())
                : "none";
    }

    // ---- handlers ----

    private List<String> handlers() {
        List<HandlerKey> keys = invoker.all().stream()
                .sorted(Comparator.comparing(HandlerKey::type).thenComparing(HandlerKey::handler))
                .toList();
        int types = longest(keys.stream().map(StartupReport::typeOf).toList());
        int groups =
                longest(keys.stream().map(key -> "group " + invoker.group(key)).toList());
        int names = longest(keys.stream().map(HandlerKey::handler).toList());
        List<String> lines = new ArrayList<>();
        String last = "";
        for (HandlerKey key : keys) {
            String type = key.type().equals(last) ? "" : typeOf(key);
            last = key.type();
            lines.add(padded(type.isEmpty() ? "\"" : type, types)
                    + padded(key.handler(), names)
                    + padded("group " + invoker.group(key), groups)
                    + padded(mode(key), 13)
                    + policy(config.retryFor(key.type(), key.handler()))
                    + (config.blocksOnDeadLetter(key.type(), key.handler()) ? ", then block" : ""));
        }
        return lines;
    }

    private static String typeOf(HandlerKey key) {
        return key.isOfAnyType() ? "any type" : key.type();
    }

    private String mode(HandlerKey key) {
        return switch (invoker.mode(key)) {
            case TRANSACTIONAL -> "transactional";
            case BATCHED -> "batches";
            case OUTSIDE, FORWARDER -> "outside";
        };
    }

    private String policy(Retry retry) {
        if (retry.maxAttempts() == 1) {
            return "1 attempt";
        }
        return retry.maxAttempts() + " attempts, " + Durations.show(retry.initialDelay()) + " x " + retry.multiplier()
                + " up to " + Durations.show(retry.maxDelay()) + (retry.jitter() ? ", jitter" : "");
    }

    private static int longest(List<String> texts) {
        return texts.stream().mapToInt(String::length).max().orElse(0);
    }

    private static String padded(String text, int width) {
        return text + " ".repeat(width - text.length() + 2);
    }

    // ---- warnings ----

    private List<String> warnings(Environment found) {
        List<String> warnings = new ArrayList<>(OutboxConfigReader.warnings(ConfigProvider.getConfig()));
        warnings.addAll(OutboxConfigReader.risks(config));
        warnings.addAll(unmatchedNames());
        if (found.node() != null) {
            OtherHandlers.warning(found.registry(), invoker.all()).ifPresent(warnings::add);
        }
        warnIf(
                warnings,
                config.database().schema() == OutboxConfig.SchemaMode.OFF,
                "outbox.schema=off: the tables were not checked");
        warnIf(
                warnings,
                config.handler().timeout().isZero(),
                "outbox.handler.timeout=0: a call that hangs keeps its worker and its aggregate until the node stops");
        warnIf(
                warnings,
                config.handler().downAfter() == 0,
                "outbox.handler.down-after=0: an outage of a handler's dependency uses up its attempts");
        warnIf(
                warnings,
                config.deadLetters().block() || config.deadLetters().overrides().containsValue(true),
                "outbox.dead-letter.order=block: a dead letter blocks its aggregate until an operator acts");
        warnIf(
                warnings,
                config.retention().keepHistory() && config.retention().history().isEmpty(),
                "outbox.on-success=keep without outbox.history.retention: no node deletes or drops any of the history");
        return warnings;
    }

    /** A handler of any type gets events of types that nothing here names. */
    private List<String> unmatchedNames() {
        Set<HandlerKey> all = invoker.all();
        return all.stream().anyMatch(HandlerKey::isOfAnyType)
                ? UnmatchedNames.ofHandlersIn(
                        config, all.stream().map(HandlerKey::handler).distinct().toList())
                : UnmatchedNames.in(
                        config,
                        all.stream()
                                .flatMap(key -> Stream.of(key.type(), key.handler()))
                                .distinct()
                                .toList());
    }

    private static void warnIf(List<String> warnings, boolean condition, String warning) {
        if (condition) {
            warnings.add(warning);
        }
    }
}

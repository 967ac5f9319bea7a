package io.outboxed.internal.health;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.relay.Liveness;
import io.outboxed.internal.relay.RelayStatus;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Answers the probes from what the relay last reported. The backlog affects none of them: taking a node out of rotation
 * because of it would not make it work faster.
 */
@ApplicationScoped
public class RelayHealth {
    /** Between two checks of the database, where no relay uses it. */
    public static final Duration CHECK_INTERVAL = Duration.ofSeconds(5);

    /** From the first check without an answer to the third. */
    private static final Duration SEVERAL_CHECKS = CHECK_INTERVAL.multipliedBy(2);

    private static final Duration LONG = Duration.ofMinutes(1);

    private final OutboxConfig config;
    private volatile String database;
    private final LongSupplier nanoClock;
    private final Liveness storeChecks;
    /** When the first check began that has had no answer; null if the last one has. */
    private volatile Long storeAskedAt;

    private volatile boolean started;
    private volatile Supplier<RelayStatus> node;

    @Inject
    RelayHealth(OutboxConfig config, HealthExtension checks) {
        this(config);
        checks.asks(this);
    }

    RelayHealth(OutboxConfig config) {
        this(config, System::nanoTime);
    }

    RelayHealth(OutboxConfig config, LongSupplier nanoClock) {
        this.config = config;
        this.nanoClock = nanoClock;
        this.storeChecks = new Liveness(nanoClock);
    }

    /** Needed by the container's proxy. */
    RelayHealth() {
        this(OutboxConfig.DEFAULTS);
    }

    // ---- reported by the relay's supervisor ----

    /** @param product and version of the database whose tables match */
    public void schemaVerified(String product) {
        database = product;
        storeAnswered();
    }

    /** A check of the database begins, in addition to the relay's own statements. */
    public void storeAsked() {
        if (storeAskedAt == null) {
            storeAskedAt = nanoClock.getAsLong();
        }
    }

    /** The database has answered such a check. */
    public void storeAnswered() {
        storeChecks.succeeded();
        storeAskedAt = null;
    }

    /** @param status empty if the relay is disabled */
    public void started(Optional<Supplier<RelayStatus>> status) {
        node = status.orElse(null);
        started = true;
    }

    public void stopped() {
        started = false;
        node = null;
    }

    // ---- queried by the probes ----

    HealthCheckResult schema() {
        HealthCheckResult answer = HealthCheckResult.of(database != null)
                .with("mode", config.database().schema().name().toLowerCase(Locale.ROOT));
        return database == null ? answer : answer.with("database", database);
    }

    HealthCheckResult store() {
        Supplier<RelayStatus> relay = node;
        Duration lease = config.relay().lease();
        if (relay == null) {
            Optional<Duration> sinceAnswer = storeChecks.sinceSucceeded();
            return store(sinceAnswer.isPresent() && !isAskedFor(longer(lease, SEVERAL_CHECKS)), sinceAnswer);
        }
        Optional<Duration> sinceHeartbeat = relay.get().sinceHeartbeat();
        return store(isWithin(lease, sinceHeartbeat), sinceHeartbeat);
    }

    private static HealthCheckResult store(boolean up, Optional<Duration> sinceAnswer) {
        return HealthCheckResult.of(up).with("last-answer-ms", millis(sinceAnswer));
    }

    /** Not since the last answer: the server's timer, which has it asked, is silent after the wall clock was set back. */
    private boolean isAskedFor(Duration limit) {
        Long at = storeAskedAt;
        return at != null && nanoClock.getAsLong() - at >= limit.toNanos();
    }

    HealthCheckResult relay() {
        Supplier<RelayStatus> relay = node;
        if (relay == null) {
            return HealthCheckResult.of(started).with("relay", config.relay().enabled() ? "waiting" : "disabled");
        }
        RelayStatus status = relay.get();
        return described(HealthCheckResult.of(status.owner() != null), status);
    }

    /**
     * Down only if a restart would help: a relay thread makes no progress although the database answers, or no worker is
     * left. An outage of the database alone does not fail this check, because a restart would not end it.
     */
    HealthCheckResult alive() {
        Supplier<RelayStatus> relay = node;
        if (relay == null) {
            return HealthCheckResult.of(true).with("relay", config.relay().enabled() ? "waiting" : "disabled");
        }
        RelayStatus status = relay.get();
        boolean loopHangs = status.shards() > 0 && isLong(status.sinceIteration()) && isRecent(status.sinceHeartbeat());
        boolean membershipHangs = isLong(status.sinceMembershipRound()) && isRecent(storeChecks.sinceSucceeded());
        // calls may hang because the database does not answer
        boolean workersHang = isLong(status.noWorkerFor()) && isRecent(status.sinceHeartbeat());
        return described(HealthCheckResult.of(!loopHangs && !membershipHangs && !workersHang), status);
    }

    /** Whether the database should be checked, because the relay has not used it for some time. */
    public boolean wantsCheck() {
        Supplier<RelayStatus> relay = node;
        return relay == null || relay.get().sinceMembershipRound().compareTo(limit().dividedBy(2)) > 0;
    }

    private HealthCheckResult described(HealthCheckResult answer, RelayStatus status) {
        return answer.with("node", status.owner() == null ? "not joined" : status.owner())
                .with("label", config.relay().label())
                .with("shards", status.shards())
                .with("running", status.running())
                .with("last-loop-ms", status.sinceIteration().toMillis())
                .with("last-beat-ms", millis(status.sinceHeartbeat()))
                .with("paused", paused(status));
    }

    private static String paused(RelayStatus status) {
        return status.pauses().isEmpty()
                ? "nothing"
                : status.pauses().stream()
                        .map(pause -> pause.target().toString())
                        .collect(Collectors.joining(", "));
    }

    private boolean isLong(Duration since) {
        return since.compareTo(limit()) > 0;
    }

    private boolean isRecent(Optional<Duration> since) {
        return isWithin(limit(), since);
    }

    private static boolean isWithin(Duration limit, Optional<Duration> since) {
        return since.filter(age -> age.compareTo(limit) < 0).isPresent();
    }

    private Duration limit() {
        return longer(config.relay().lease().multipliedBy(3), LONG);
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }

    private static String millis(Optional<Duration> since) {
        return since.map(age -> String.valueOf(age.toMillis())).orElse("never");
    }
}

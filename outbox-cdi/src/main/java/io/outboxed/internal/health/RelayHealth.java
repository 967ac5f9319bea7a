package io.outboxed.internal.health;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.relay.Progress;
import io.outboxed.internal.relay.RelayStatus;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Answers the probes from what the relay has last seen itself. The backlog takes part in none of them: a node that is taken
 * out of rotation because of it works no faster.
 */
@ApplicationScoped
public class RelayHealth {
    private static final Duration LONG = Duration.ofMinutes(1);

    private final OutboxConfig config;
    private volatile String database;
    private final Progress looked;
    private volatile boolean storeAnswers;
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
        this.looked = new Progress(nanoClock);
    }

    /** For the container's proxy. */
    RelayHealth() {
        this(OutboxConfig.DEFAULTS);
    }

    // ---- told by the relay's supervisor ----

    /** @param product and version of the database whose tables fit */
    public void schemaVerified(String product) {
        database = product;
        storeLooked(true);
    }

    /** Result of a database check made in addition to the relay's own. */
    public void storeLooked(boolean answers) {
        storeAnswers = answers;
        if (answers) {
            looked.worked();
        }
    }

    /** @param vitals empty where the relay is disabled */
    public void started(Optional<Supplier<RelayStatus>> vitals) {
        node = vitals.orElse(null);
        started = true;
    }

    public void stopped() {
        started = false;
        node = null;
    }

    // ---- asked by the probes ----

    Answer schema() {
        Answer answer = Answer.of(database != null)
                .with("mode", config.database().schema().name().toLowerCase(Locale.ROOT));
        return database == null ? answer : answer.with("database", database);
    }

    Answer store() {
        Supplier<RelayStatus> relay = node;
        if (relay == null) {
            return Answer.of(storeAnswers);
        }
        Optional<Duration> sinceGoodBeat = relay.get().sinceGoodBeat();
        boolean answers = sinceGoodBeat
                .filter(since -> since.compareTo(config.relay().lease()) < 0)
                .isPresent();
        return Answer.of(answers).with("last-answer-ms", millis(sinceGoodBeat));
    }

    Answer relay() {
        Supplier<RelayStatus> relay = node;
        if (relay == null) {
            return Answer.of(started).with("relay", config.relay().enabled() ? "waiting" : "disabled");
        }
        RelayStatus vitals = relay.get();
        return described(Answer.of(vitals.owner() != null), vitals);
    }

    /**
     * Down only if a restart would help: a relay thread makes no progress although the database answers others. A
     * database that is away fails nothing here, a new start would not bring it back.
     */
    Answer alive() {
        Supplier<RelayStatus> relay = node;
        if (relay == null) {
            return Answer.of(true).with("relay", config.relay().enabled() ? "waiting" : "disabled");
        }
        RelayStatus vitals = relay.get();
        boolean loopHangs = vitals.shards() > 0 && isLong(vitals.sinceTurn()) && isRecent(vitals.sinceGoodBeat());
        boolean beatHangs = isLong(vitals.sinceBeat()) && isRecent(looked.sinceWorked());
        return described(Answer.of(!loopHangs && !beatHangs), vitals);
    }

    /** Whether the database should be checked, because the usual check has not run for some time. */
    public boolean wantsLook() {
        Supplier<RelayStatus> relay = node;
        return relay == null || relay.get().sinceBeat().compareTo(limit().dividedBy(2)) > 0;
    }

    private Answer described(Answer answer, RelayStatus vitals) {
        return answer.with("node", vitals.owner() == null ? "not joined" : vitals.owner())
                .with("label", config.relay().label())
                .with("shards", vitals.shards())
                .with("running", vitals.running())
                .with("last-turn-ms", vitals.sinceTurn().toMillis())
                .with("last-beat-ms", millis(vitals.sinceGoodBeat()));
    }

    private boolean isLong(Duration since) {
        return since.compareTo(limit()) > 0;
    }

    private boolean isRecent(Optional<Duration> since) {
        return since.filter(age -> age.compareTo(limit()) < 0).isPresent();
    }

    private Duration limit() {
        Duration leases = config.relay().lease().multipliedBy(3);
        return leases.compareTo(LONG) > 0 ? leases : LONG;
    }

    private static String millis(Optional<Duration> since) {
        return since.map(age -> String.valueOf(age.toMillis())).orElse("never");
    }
}

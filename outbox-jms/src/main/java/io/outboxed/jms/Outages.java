package io.outboxed.jms;

import io.outboxed.internal.log.OutboxLog;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/** Which connection factory and which destinations can't be used, and since when. Logs beginning and end. Thread-safe. */
final class Outages {
    /** What is out of order is tried again after this time at the earliest, so that an outage costs little. */
    private static final long BETWEEN_TRIES = TimeUnit.SECONDS.toNanos(1);

    private final Map<String, Outage> byName = new TreeMap<>();

    private final LongSupplier nanoClock;

    Outages(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    /** @param kinds of its failures so far. Otherwise problems that take turns would fill the log. */
    private record Outage(BrokerNotReadyException failure, long seenAt, Set<String> kinds) {}

    /** @throws BrokerNotReadyException if one of these was out of order a moment ago */
    synchronized void failIfRecent(String... names) {
        for (String name : names) {
            Outage outage = byName.get(name);
            if (outage != null && isRecent(outage)) {
                throw outage.failure();
            }
        }
    }

    private boolean isRecent(Outage outage) {
        return nanoClock.getAsLong() - outage.seenAt() < BETWEEN_TRIES;
    }

    /** Those that were not in JNDI when they were last looked up, which was a while ago. Each is told to one caller. */
    synchronized List<String> namesToLookUp() {
        List<String> names = byName.entrySet().stream()
                .filter(each -> each.getValue().failure() instanceof NotInJndiException && !isRecent(each.getValue()))
                .map(Map.Entry::getKey)
                .toList();
        names.forEach(name -> byName.computeIfPresent(
                name, (same, outage) -> new Outage(outage.failure(), nanoClock.getAsLong(), outage.kinds())));
        return names;
    }

    /** All that is out of order is logged when something new is, or has become out of order in another way. */
    synchronized void seen(Collection<BrokerNotReadyException> failures) {
        boolean isNew = false;
        for (BrokerNotReadyException failure : failures) {
            Outage before = byName.get(failure.name());
            Set<String> kinds = before == null ? new HashSet<>() : before.kinds();
            isNew |= kinds.add(failure.kind());
            byName.put(failure.name(), new Outage(failure, nanoClock.getAsLong(), kinds));
        }
        if (isNew) {
            OutboxLog.jmsNotReady(problems());
        }
    }

    /** These work. */
    synchronized void over(String... names) {
        boolean wasOut = false;
        for (String name : names) {
            wasOut |= byName.remove(name) != null;
        }
        if (wasOut && byName.isEmpty()) {
            OutboxLog.jmsReady();
        }
    }

    synchronized Set<String> problems() {
        return byName.values().stream()
                .map(outage -> outage.failure().problem())
                .collect(Collectors.toCollection(TreeSet::new));
    }
}

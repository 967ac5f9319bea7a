package io.outboxed.kafka;

import io.outboxed.servers.broker.RealKafka;
import io.outboxed.servers.process.ServerProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** Kills processes of a cluster and of its forwarders and starts them again, or freezes one, as a seed decides. */
final class ClusterFaults implements AutoCloseable {
    /** Without the freezes, after which an older event may come behind a later one without strict order. */
    static final List<Fault> KILLS =
            List.of(Fault.ONE_BROKER, Fault.ALL_BROKERS, Fault.FORWARDER, Fault.BROKER_AND_FORWARDER);

    private static final int FORWARDERS = 2;
    private static final long LONGEST_DOWN_MILLIS = 3_000;
    /** Beyond the lease: others have taken over and sent more by then. */
    private static final long FROZEN_BEYOND_MILLIS = 1_500;

    private final RealKafka kafka;
    private final Starter starter;
    private final List<Fault> kinds;
    private final long lease;
    private final Random random;
    private final List<ServerProcess> forwarders = new ArrayList<>();
    private final Map<Fault, Integer> counts = new EnumMap<>(Fault.class);

    enum Fault {
        ONE_BROKER("one broker"),
        ALL_BROKERS("all three brokers"),
        FORWARDER("a forwarder"),
        BROKER_AND_FORWARDER("a broker and a forwarder"),
        FREEZE("a forwarder frozen for longer than its lease");

        final String words;

        Fault(String words) {
            this.words = words;
        }
    }

    @FunctionalInterface
    interface Starter {
        ServerProcess forwarder() throws IOException;
    }

    ClusterFaults(RealKafka kafka, Starter starter, Duration lease, List<Fault> kinds, long seed) throws IOException {
        this.kafka = kafka;
        this.starter = starter;
        this.lease = lease.toMillis();
        this.kinds = kinds;
        this.random = new Random(seed);
        startMissing();
    }

    private void startMissing() throws IOException {
        while (forwarders.size() < FORWARDERS) {
            forwarders.add(starter.forwarder());
        }
    }

    Fault next() throws IOException {
        Fault fault = kinds.get(random.nextInt(kinds.size()));
        counts.merge(fault, 1, Integer::sum);
        switch (fault) {
            case ONE_BROKER -> kafka.kill(random.nextInt(kafka.size()));
            case ALL_BROKERS -> kafka.kill();
            case FORWARDER -> killForwarder();
            case BROKER_AND_FORWARDER -> {
                kafka.kill(random.nextInt(kafka.size()));
                killForwarder();
            }
            case FREEZE -> freezeForwarder();
        }
        pause(random.nextLong(LONGEST_DOWN_MILLIS));
        kafka.start();
        startMissing();
        return fault;
    }

    private void killForwarder() {
        forwarders.remove(random.nextInt(forwarders.size())).kill();
    }

    private void freezeForwarder() {
        ServerProcess frozen = forwarders.get(random.nextInt(forwarders.size()));
        frozen.freeze();
        pause(lease + FROZEN_BEYOND_MILLIS + random.nextLong(LONGEST_DOWN_MILLIS));
        frozen.thaw();
    }

    private static void pause(long millis) {
        LockSupport.parkNanos(Duration.ofMillis(millis).toNanos());
    }

    Map<Fault, Integer> counts() {
        return counts;
    }

    int ofForwarders() {
        return Stream.of(Fault.FORWARDER, Fault.BROKER_AND_FORWARDER, Fault.FREEZE)
                .mapToInt(fault -> counts.getOrDefault(fault, 0))
                .sum();
    }

    @Override
    public void close() {
        forwarders.forEach(ServerProcess::kill);
    }
}

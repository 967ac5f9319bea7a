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

/** Kills processes of a cluster and of its forwarders with SIGKILL and starts them again, as a seed decides. */
final class ClusterFaults implements AutoCloseable {
    private static final long LONGEST_DOWN_MILLIS = 3_000;

    private final RealKafka kafka;
    private final int size;
    private final Starter starter;
    private final Random random;
    private final List<ServerProcess> forwarders = new ArrayList<>();
    private final Map<Fault, Integer> counts = new EnumMap<>(Fault.class);

    enum Fault {
        ONE_BROKER("one broker"),
        ALL_BROKERS("all three brokers"),
        FORWARDER("a forwarder"),
        BROKER_AND_FORWARDER("a broker and a forwarder");

        final String words;

        Fault(String words) {
            this.words = words;
        }
    }

    @FunctionalInterface
    interface Starter {
        ServerProcess forwarder() throws IOException;
    }

    ClusterFaults(RealKafka kafka, int forwarders, Starter starter, long seed) throws IOException {
        this.kafka = kafka;
        this.starter = starter;
        this.random = new Random(seed);
        this.size = forwarders;
        startMissing();
    }

    private void startMissing() throws IOException {
        while (forwarders.size() < size) {
            forwarders.add(starter.forwarder());
        }
    }

    void next() throws IOException {
        Fault fault = Fault.values()[random.nextInt(Fault.values().length)];
        counts.merge(fault, 1, Integer::sum);
        switch (fault) {
            case ONE_BROKER -> kafka.kill(random.nextInt(kafka.size()));
            case ALL_BROKERS -> kafka.kill();
            case FORWARDER -> killForwarder();
            case BROKER_AND_FORWARDER -> {
                kafka.kill(random.nextInt(kafka.size()));
                killForwarder();
            }
        }
        LockSupport.parkNanos(
                Duration.ofMillis(random.nextLong(LONGEST_DOWN_MILLIS)).toNanos());
        kafka.start();
        startMissing();
    }

    private void killForwarder() {
        forwarders.remove(random.nextInt(forwarders.size())).kill();
    }

    Map<Fault, Integer> counts() {
        return counts;
    }

    @Override
    public void close() {
        forwarders.forEach(ServerProcess::kill);
    }
}

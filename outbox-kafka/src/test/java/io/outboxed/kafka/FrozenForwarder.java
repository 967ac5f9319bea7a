package io.outboxed.kafka;

import io.outboxed.servers.broker.RealKafka;
import io.outboxed.servers.process.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A forwarder in a process of its own that stands still, after SIGSTOP, in the middle of its first event. */
final class FrozenForwarder implements AutoCloseable {
    private static final String JOINED = "OUTBOX-0401";

    private final ServerProcess process;
    private final Path thawed;

    private FrozenForwarder(ServerProcess process, Path thawed) {
        this.process = process;
        this.thawed = thawed;
    }

    /** Returns when it is frozen. */
    static FrozenForwarder start(
            StoredEvents stored, RealKafka kafka, String topic, Duration lease, List<String> more, FreezesOnce.Point at)
            throws IOException {
        Path thawed = Files.createTempDirectory("frozen").resolve("thawed");
        List<String> settings = new ArrayList<>(more);
        settings.add("interceptor.classes=" + FreezesOnce.class.getName());
        settings.add(FreezesOnce.AT + "=" + at);
        settings.add(FreezesOnce.UNTIL + "=" + thawed);
        FrozenForwarder forwarder =
                new FrozenForwarder(Forwarders.start(stored, kafka, topic, lease, settings), thawed);
        Patience.until("the forwarder is frozen", forwarder::isFrozen);
        return forwarder;
    }

    /** By the kernel: the state follows the name in parentheses. */
    private boolean isFrozen() {
        try {
            String status = Files.readString(Path.of("/proc", String.valueOf(process.pid()), "stat"));
            return status.substring(status.lastIndexOf(')')).startsWith(") T");
        } catch (IOException e) {
            return false;
        }
    }

    /** Returns when it has found out that it was declared dead, and has joined the others again. */
    void thaw() throws IOException {
        Files.createFile(thawed);
        process.thaw();
        Patience.until("the forwarder has joined again", () -> process.logged().split(JOINED, -1).length > 2);
    }

    @Override
    public void close() {
        process.kill();
    }
}

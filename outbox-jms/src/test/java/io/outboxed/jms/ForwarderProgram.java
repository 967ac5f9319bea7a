package io.outboxed.jms;

import io.outboxed.servers.process.ServerProcess;
import io.outboxed.servers.process.ServerProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** A forwarder in a process of its own, which dies between the broker's confirmation and its record in the database. */
final class ForwarderProgram {
    static final int DEAD = 137;

    private ForwarderProgram() {}

    /** @return the exit code of a forwarder that survives this number of confirmations */
    static int run(StoredEvents stored, RealArtemis broker, String queue, int survives) throws IOException {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                RealArtemis.classPath(),
                ForwarderProgram.class.getName(),
                stored.url(),
                broker.address(),
                queue,
                String.valueOf(survives));
        Path log = Files.createTempFile(Path.of("target").toAbsolutePath(), "forwarder", ".log");
        return ServerProcess.start(new ServerProgram("a forwarder", command, Map.of(), log, "TERM"))
                .awaitEnd();
    }

    /** @param arguments database, broker, queue, number of confirmations that this process survives */
    public static void main(String[] arguments) throws InterruptedException {
        Names.bind(Names.FACTORY, RealArtemis.pool(arguments[1]));
        Names.bind(Names.ORDERS, RealArtemis.queue(arguments[2]));
        AtomicInteger left = new AtomicInteger(Integer.parseInt(arguments[3]));
        Runnable dies = () -> {
            if (left.getAndDecrement() == 0) {
                Runtime.getRuntime().halt(DEAD);
            }
        };
        try (ForwardingNode node =
                new ForwardingNode(() -> StoredEvents.open(arguments[0]), ForwardingNode.settings(), dies)) {
            System.out.println(node);
            Thread.currentThread().join();
        }
    }
}

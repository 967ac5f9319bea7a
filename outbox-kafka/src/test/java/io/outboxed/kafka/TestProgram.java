package io.outboxed.kafka;

import io.outboxed.servers.broker.RealKafka;
import io.outboxed.servers.process.ServerProcess;
import io.outboxed.servers.process.ServerProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A class of the tests in a process of its own. */
final class TestProgram {
    private TestProgram() {}

    static ServerProcess start(String name, Class<?> main, List<String> arguments) throws IOException {
        Path log = Files.createTempFile(Path.of("target").toAbsolutePath(), name, ".log");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                RealKafka.classPath(),
                main.getName()));
        command.addAll(arguments);
        return ServerProcess.start(new ServerProgram("the " + name, command, Map.of(), log, "TERM"));
    }
}

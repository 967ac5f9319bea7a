package io.outboxed.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ServerSetupTest {

    @Test
    void a_short_lived_server_has_as_much_room_for_code_as_any_other() throws Exception {
        ServerSetup server = ServerSetup.of("wildfly", Path.of("wildfly.zip"), Path.of("shop.war"), Path.of("."));

        assertThat(roomForCode(server.shortLived().jvmOptions())).isGreaterThanOrEqualTo(roomForCode(List.of()));
    }

    /** In bytes, as a JVM with these options says. */
    private static long roomForCode(List<String> options) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.addAll(List.of("-XX:+PrintFlagsFinal", "-version"));
        Process jvm = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String flags = new String(jvm.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(jvm.waitFor()).isZero();
        String room = flags.lines()
                .filter(line -> line.contains(" ReservedCodeCacheSize "))
                .findFirst()
                .orElseThrow();
        return Long.parseLong(room.strip().split("\\s+")[3]);
    }
}

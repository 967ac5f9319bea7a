package io.outboxed.servers;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.servers.process.ServerFailedException;
import java.nio.file.Path;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the demo says about its options. */
class DemoTest {
    @TempDir
    private Path directory;

    /** Payara Server would be unpacked from the distribution of another server. */
    @ParameterizedTest
    @ValueSource(strings = {"tomcat", "payara-server", "Payara", ""})
    void a_server_that_the_demo_can_not_start_is_refused_with_those_that_it_can(String server) {
        refused(server, "8080", "false")
                .hasMessage("demo.server is '" + server + "': choose payara, wildfly or liberty");
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "", "0", "-1", "70000", "123456789012", "80 80"})
    void so_is_what_is_no_port(String port) {
        refused("payara", port, "false").hasMessage("demo.port is '" + port + "': choose a port from 1 to 65535");
    }

    @ParameterizedTest
    @ValueSource(strings = {"yes", ""})
    void so_is_what_does_not_say_whether_there_is_to_be_a_broker(String kafka) {
        refused("payara", "8080", kafka).hasMessageStartingWith("demo.kafka is '" + kafka + "': ");
    }

    private AbstractThrowableAssert<?, ?> refused(String server, String port, String kafka) {
        String none = directory.resolve("none").toString();
        return assertThatThrownBy(
                        () -> Demo.main(new String[] {server, none, none, directory.toString(), port, "h2", kafka}))
                .isInstanceOf(ServerFailedException.class);
    }
}

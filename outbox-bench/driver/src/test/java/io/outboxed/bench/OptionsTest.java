package io.outboxed.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.outboxed.bench.database.Product;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OptionsTest {

    @Test
    void without_options_a_full_run_on_both_databases_is_the_default() {
        Options options = Options.of(Map.of("java.version", "17"));

        assertThat(options.isFull()).isTrue();
        assertThat(options.databases()).containsExactly(Product.MYSQL, Product.POSTGRESQL);
        assertThat(options.workloads()).hasSize(11);
        assertThat(options.runs()).isEqualTo(3);
    }

    @Test
    void an_empty_option_counts_as_absent() {
        assertThat(Options.of(Map.of("bench.messages", " ")).messages()).isEqualTo(100_000);
    }

    @Test
    void options_are_read() {
        Options options = Options.of(Map.of(
                "bench.workloads", "w1, W4",
                "bench.database", "h2",
                "bench.messages", "2_000",
                "bench.threads", "1,2",
                "bench.config", "outbox.relay.workers=16,outbox.relay.ack-batch-size=500",
                "bench.seconds", "2",
                "bench.jvm", "-Xmx1g -XX:StartFlightRecording=filename=a,settings=profile"));

        assertThat(options.workloads()).containsExactly("W1", "W4");
        assertThat(options.databases()).containsExactly(Product.H2);
        assertThat(options.messages()).isEqualTo(2000);
        assertThat(options.threads()).containsExactly(1, 2);
        assertThat(options.config()).containsExactly("outbox.relay.workers=16", "outbox.relay.ack-batch-size=500");
        assertThat(options.jvm()).containsExactly("-Xmx1g", "-XX:StartFlightRecording=filename=a,settings=profile");
        assertThat(options.seconds()).isEqualTo(Duration.ofSeconds(2));
        assertThat(options.isFull()).isFalse();
    }

    @Test
    void a_run_with_other_systems_or_settings_is_not_a_full_one() {
        assertThat(List.of(
                        Map.of("bench.systems", "outboxed,row-lock"),
                        Map.of("bench.systems", "outboxed"),
                        Map.of("bench.database-options", "--innodb-flush-method=O_DIRECT"),
                        Map.of("bench.url", "jdbc:mysql://localhost/own"),
                        Map.of("bench.jvm", "-Xmx2g"),
                        Map.of("bench.threads", "8"),
                        Map.of("bench.aggregates", "100"),
                        Map.of("bench.before", "before.war")))
                .noneMatch(properties -> Options.of(properties).isFull());
        assertThat(Options.of(Map.of("bench.strict", "true")).isFull()).isTrue();
    }

    @Test
    void errors_are_named() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Options.of(Map.of("bench.message", "1")))
                .withMessageContaining("bench.message is not an option")
                .withMessageContaining("bench.messages");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Options.of(Map.of("bench.runs", "many")))
                .withMessageContaining("bench.runs is 'many'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Options.of(Map.of("bench.database", "oracle")))
                .withMessageContaining("choose mysql, mariadb, postgresql, h2");
    }
}

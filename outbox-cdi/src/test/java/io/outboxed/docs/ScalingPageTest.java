package io.outboxed.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The model on docs/scaling.md predicts what W7 has measured, and the page says so with these very figures. */
class ScalingPageTest {
    private static final Path DOCS = Path.of("..", "docs");
    private static final double CALLS_OF_A_NODE = 4;
    private static final double SECONDS_OF_A_CALL = 0.002;
    private static final double CORES = 2;

    private record Measured(double perSecond, double busy) {}

    @Test
    void the_model_predicts_w7_on_postgresql_within_a_fifth() throws IOException {
        String page = Files.readString(DOCS.resolve("scaling.md"));
        Measured one = measured("postgresql", 1);
        for (int nodes = 2; nodes <= 3; nodes++) {
            double predicted = predicted(one, nodes);
            double measured = measured("postgresql", nodes).perSecond();

            assertThat(predicted / measured).isCloseTo(1, within(0.2));
            assertThat(page)
                    .contains(String.format(
                            Locale.ROOT,
                            "| %d | %,d | %,.0f | %.0f %% too high |",
                            nodes,
                            Math.round(predicted / 10) * 10,
                            measured,
                            100 * (predicted / measured - 1)));
        }
    }

    @Test
    void with_its_constants_the_model_predicts_mysql_within_a_fifth_too() throws IOException {
        Measured one = measured("postgresql", 1);
        assertThat(predicted(one, 2) / measured("mysql", 2).perSecond()).isCloseTo(1, within(0.2));
        assertThat(predicted(one, 3) / measured("mysql", 3).perSecond()).isCloseTo(1, within(0.2));
    }

    /** The constants come from one node; the rate is found where rate and load agree. */
    private static double predicted(Measured one, int nodes) {
        double added = CALLS_OF_A_NODE / one.perSecond() - SECONDS_OF_A_CALL;
        double addedIdle = added * (1 - one.busy() * one.busy());
        double cpu = one.busy() * CORES / one.perSecond();
        double low = 0;
        double high = CORES / cpu;
        while (high - low > 0.1) {
            double rate = (low + high) / 2;
            double busy = rate * cpu / CORES;
            double possible = CALLS_OF_A_NODE * nodes / (SECONDS_OF_A_CALL + addedIdle / (1 - busy * busy));
            if (possible > rate) {
                low = rate;
            } else {
                high = rate;
            }
        }
        return low;
    }

    private static Measured measured(String database, int nodes) throws IOException {
        Matcher row = Pattern.compile(
                        "\\| " + database + " \\| " + nodes + " nodes? \\| outboxed \\| (\\d+) [^|]*\\| ([\\d.]+) ")
                .matcher(Files.readString(DOCS.resolve("benchmarks").resolve("README.md")));
        assertThat(row.find()).as("W7 on " + database + " with " + nodes).isTrue();
        return new Measured(Double.parseDouble(row.group(1)), Double.parseDouble(row.group(2)) / 100);
    }
}

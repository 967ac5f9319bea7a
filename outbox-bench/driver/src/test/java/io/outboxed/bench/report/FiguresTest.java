package io.outboxed.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FiguresTest {

    @Test
    void a_median_has_as_many_figures_below_as_above() {
        assertThat(Sample.of(List.of(9.0, 1.0, 4.0))).isEqualTo(new Sample(4, 1, 9));
        assertThat(Sample.of(List.of(8.0, 2.0))).isEqualTo(new Sample(5, 2, 8));
    }

    @Test
    void ratios_are_taken_within_one_round() {
        // the machine became twice as fast after the first round; each round says one half
        assertThat(Sample.ofRatios(List.of(10.0, 20.0, 20.0), List.of(20.0, 40.0, 40.0)))
                .isEqualTo(new Sample(0.5, 0.5, 0.5));
    }

    @Test
    void the_result_line_is_what_scripts_expect() {
        Result result = new Result(
                "W1", "", "outboxed", "mysql", "messages_per_second", new Sample(12345.6, 12000, 13000), 0.61234);

        assertThat(ResultLine.of(result))
                .isEqualTo("RESULT {\"workload\":\"W1\",\"system\":\"outboxed\",\"database\":\"mysql\","
                        + "\"metric\":\"messages_per_second\",\"median\":12346,\"min\":12000,\"max\":13000,"
                        + "\"ratio_to_limit\":0.6123}");
    }

    @Test
    void a_case_of_a_workload_is_part_of_its_metric() {
        Result result =
                new Result("W3", "8 threads", "outboxed", "h2", "transactions_per_second", new Sample(1, 1, 1), null);

        assertThat(ResultLine.of(result))
                .contains("\"metric\":\"transactions_per_second_8_threads\"")
                .endsWith("\"ratio_to_limit\":null}");
    }

    @Test
    void what_is_written_is_read_again() {
        Map<String, String> read = Json.members(Json.object(Map.of("text", "a \"b\", {c}: \\ d")));

        assertThat(read).containsExactly(Map.entry("text", "a \"b\", {c}: \\ d"));
    }

    @Test
    void a_verdict_says_by_how_much_a_target_is_missed() {
        assertThat(TargetCheck.atLeast("W1", "mysql", "rate", 0.6, 0.3).words())
                .isEqualTo("0.300, wanted at least 0.600: missed by 50 %");
        assertThat(TargetCheck.atMost("W4", "mysql", "p50 ms", 0.5, 0.5).words())
                .isEqualTo("0.500, wanted at most 0.500: met");
        assertThat(TargetCheck.atMost("W3", "mysql", "cost", 1.2, 1.2001).words())
                .isEqualTo("1.20, wanted at most 1.20: missed by less than 1 %");
    }
}

package io.outboxed.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.cli.output.CappedCount;
import io.outboxed.cli.output.Pace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PaceTest {
    private static final CappedCount FOUR = new CappedCount(4, 1_000_000);

    private final List<Duration> pauses = new ArrayList<>();
    private final ScriptedTerminal terminal = new ScriptedTerminal().timedPauses(pauses);
    private long now;

    private Pace pace(CappedCount total, Integer rate) {
        return new Pace(terminal, "replayed", total, rate, () -> now);
    }

    @Test
    void a_terminal_shows_a_bar_that_grows_in_its_place() {
        terminal.answering();
        Pace pace = pace(FOUR, null);

        pace.changed();
        assertThat(terminal.errors()).isEqualTo("[#######-----------------------]  25 %  replayed 1 of 4\u001b[K\r");
        for (int i = 0; i < 3; i++) {
            pace.changed();
        }
        pace.end();
        assertThat(terminal.errors())
                .doesNotContain("\n")
                .endsWith("[##############################] 100 %  replayed 4 of 4\u001b[K\r\u001b[K");
    }

    @Test
    void the_bar_is_drawn_a_hundred_times_at_most() {
        terminal.answering();
        Pace pace = pace(new CappedCount(50_000, 1_000_000), null);
        for (int i = 0; i < 50_000; i++) {
            pace.changed();
        }
        assertThat(terminal.errors().split("\r")).hasSize(101);
    }

    @Test
    void of_an_unknown_total_there_is_no_part() {
        terminal.answering();
        Pace pace = pace(new CappedCount(1_000_000, 1_000_000), null);
        pace.changed();
        assertThat(terminal.errors()).isEqualTo("replayed 1 of at least 1,000,000\u001b[K\r");
    }

    @Test
    void a_file_gets_a_line_for_each_thousand() {
        Pace pace = pace(new CappedCount(2500, 1_000_000), null);
        for (int i = 0; i < 2500; i++) {
            pace.changed();
        }
        pace.end();
        assertThat(terminal.errors().lines()).containsExactly("replayed 1,000 of 2,500", "replayed 2,000 of 2,500");
    }

    @Test
    void a_rate_spreads_the_changes_over_time() {
        Pace pace = pace(FOUR, 10);

        pace.changed();
        now += Duration.ofMillis(130).toNanos();
        pace.changed();
        now += Duration.ofMillis(400).toNanos();
        pace.changed();

        assertThat(pauses).containsExactly(Duration.ofMillis(100), Duration.ofMillis(70));
    }

    /** What the handlers call must not get after a stall what it was spared during the stall. */
    @Test
    void a_stall_is_not_caught_up_with() {
        terminal.onPause(count -> {
            now += pauses.get(count - 1).toNanos();
            return true;
        });
        Pace pace = pace(new CappedCount(100, 1_000_000), 10);
        pace.changed();
        now += Duration.ofSeconds(60).toNanos();

        List<Long> times = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            times.add(now);
            pace.changed();
        }

        long second = Duration.ofSeconds(1).toNanos();
        assertThat(times)
                .allSatisfy(begin -> assertThat(times)
                        .filteredOn(time -> time >= begin && time < begin + second)
                        .hasSizeLessThanOrEqualTo(20));
    }

    @Test
    void an_interrupted_pause_is_the_end() {
        terminal.onPause(count -> false);
        Pace pace = pace(FOUR, 10);

        assertThatThrownBy(pace::changed).isInstanceOf(Pace.InterruptedPaceException.class);
        assertThat(pace.done()).isOne();
    }
}

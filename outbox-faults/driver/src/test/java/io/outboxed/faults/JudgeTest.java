package io.outboxed.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.faults.history.Facts;
import io.outboxed.faults.history.History;
import io.outboxed.faults.history.Outages;
import io.outboxed.faults.history.Requests;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JudgeTest {

    @TempDir
    Path directory;

    @Test
    void a_run_in_which_nothing_happened_is_not_taken_for_a_good_one() {
        new History(
                        new Facts(Map.of(), List.of(), Map.of(), List.of()),
                        new Requests(Map.of(), Set.of()),
                        new Outages(),
                        List.of(),
                        List.of(),
                        false)
                .write(directory);

        assertThat(Judge.judge(directory)).isFalse();
    }
}

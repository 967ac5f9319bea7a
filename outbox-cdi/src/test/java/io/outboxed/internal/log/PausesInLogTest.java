package io.outboxed.internal.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.admin.Pause;
import io.outboxed.admin.PauseTarget;
import io.outboxed.internal.metrics.CapturedLog;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class PausesInLogTest {

    @Test
    void a_stored_name_begins_no_line_of_its_own() {
        PauseTarget target = PauseTarget.handler("mail\n2026-11-25 INFO forged\u2028line\u001b[31m");
        try (CapturedLog log = new CapturedLog()) {
            OutboxLog.paused(new Pause(target, Instant.EPOCH, "alice", ""));
            OutboxLog.resumed(target);

            assertThat(log.lines)
                    .hasSize(2)
                    .allMatch(line -> line.contains("handler mail 2026-11-25 INFO forged line [31m"));
        }
    }
}

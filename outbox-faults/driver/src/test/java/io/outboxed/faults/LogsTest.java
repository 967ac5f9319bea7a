package io.outboxed.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogsTest {

    @TempDir
    Path directory;

    @Test
    void accusations_are_counted_in_the_logs_of_all_starts() throws IOException {
        Path first = started("node-1-1", "started\nWARNING OUTBOX-0417 one\n\u00fc");
        Path second = started("node-1-2", "[Payara] [WARNING] OUTBOX-0417 two\nOUTBOX-0400\nOUTBOX-0417 three\n");
        assertThat(Logs.accusations(List.of(first, second))).isEqualTo(3);
    }

    @Test
    void a_log_that_is_not_where_it_is_looked_for_is_no_clean_log() {
        assertThatThrownBy(() ->
                        Logs.accusations(List.of(directory.resolve("node-1-1").resolve("journal"))))
                .isInstanceOf(UncheckedIOException.class);
    }

    /** Not UTF-8. */
    private Path started(String name, String log) throws IOException {
        Path start = Files.createDirectory(directory.resolve(name));
        Files.write(start.resolve("server.log"), log.getBytes(StandardCharsets.ISO_8859_1));
        return start.resolve("journal");
    }
}

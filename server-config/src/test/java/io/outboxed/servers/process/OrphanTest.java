package io.outboxed.servers.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OrphanTest {
    @TempDir
    Path directory;

    @Test
    void an_orphan_with_a_long_class_path_is_ended() throws IOException {
        Process orphan = launched("class/path/".repeat(1_000), "the proof");
        try {
            Orphan.end(pidFile(orphan), "the proof");
            assertThat(orphan.isAlive()).isFalse();
        } finally {
            orphan.destroyForcibly();
        }
    }

    @Test
    void a_process_that_only_has_the_id_of_the_orphan_is_left_alone() throws IOException {
        Process other = launched("class/path/".repeat(1_000), "another proof");
        try {
            Path pidFile = pidFile(other);
            Orphan.end(pidFile, "the proof");
            assertThat(other.isAlive()).isTrue();
            assertThat(pidFile).doesNotExist();
        } finally {
            other.destroyForcibly();
        }
    }

    /** One process: {@code read} is part of the shell, and waits for the input that this test never writes. */
    private static Process launched(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("sh", "-c", "read never"));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).start();
    }

    private Path pidFile(Process process) throws IOException {
        return Files.writeString(directory.resolve("server.pid"), Long.toString(process.pid()));
    }
}

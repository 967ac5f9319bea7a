package io.outboxed.servers.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.servers.process.ServerProcess;
import io.outboxed.servers.process.ServerProgram;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of temporary servers whose JVM was killed. */
class AbandonedDirectoriesTest {
    private static final String CACHE = "outboxed.servers.cache";

    @TempDir
    Path cache;

    private final String before = System.getProperty(CACHE);
    private Path running;
    private Process jvm;
    private Path directory;
    private ProcessHandle server;

    @BeforeEach
    void a_cache_of_its_own() throws IOException {
        System.setProperty(CACHE, cache.toString());
        running = Files.createDirectory(cache.resolve("running"));
    }

    @AfterEach
    void nothing_is_left() {
        if (before == null) {
            System.clearProperty(CACHE);
        } else {
            System.setProperty(CACHE, before);
        }
        jvm.destroyForcibly().onExit().join();
        server.descendants().forEach(ProcessHandle::destroyForcibly);
        server.destroyForcibly();
    }

    @Test
    void the_server_of_a_jvm_that_was_killed_is_ended_and_its_directory_deleted() throws IOException {
        startServer();
        created(Duration.ofMinutes(2));
        jvm.destroyForcibly().onExit().join();

        aTemporaryServerIsStarted();

        assertThat(server.isAlive()).isFalse();
        assertThat(directory).doesNotExist();
    }

    @Test
    void that_of_a_jvm_that_runs_is_left_alone() throws IOException {
        startServer();
        created(Duration.ofMinutes(2));

        aTemporaryServerIsStarted();

        assertThat(server.isAlive()).isTrue();
        assertThat(directory).exists();
    }

    @Test
    void so_is_one_that_another_jvm_may_be_about_to_lock() throws IOException {
        startServer();
        jvm.destroyForcibly().onExit().join();

        aTemporaryServerIsStarted();

        assertThat(server.isAlive()).isTrue();
        assertThat(directory).exists();
    }

    @Test
    void a_directory_of_this_jvm_is_left_alone_and_stays_locked() throws IOException {
        startServer();
        Path own = Files.createDirectory(running.resolve("own"));
        // not once it is locked: to set the time opens the file and closes it, which would unlock it
        Files.setLastModifiedTime(Files.createFile(own.resolve("lock")), FileTime.from(ago(Duration.ofMinutes(2))));
        ServerDirectory open = ServerDirectory.open(own, "own");
        try {
            aTemporaryServerIsStarted();
            assertThat(own).exists();
            assertThat(JvmThatLocks.succeeds(own)).isFalse();
        } finally {
            open.close();
        }
        assertThat(JvmThatLocks.succeeds(own)).isTrue();
    }

    private static void aTemporaryServerIsStarted() {
        ServerDirectory.open(null, "temporary").close();
    }

    private void startServer() throws IOException {
        directory = Files.createDirectory(running.resolve("server"));
        jvm = started(JvmThatIsKilled.class, directory);
        BufferedReader output = new BufferedReader(new InputStreamReader(jvm.getInputStream(), StandardCharsets.UTF_8));
        server = ProcessHandle.of(Long.parseLong(output.readLine())).orElseThrow();
    }

    private void created(Duration before) throws IOException {
        Files.setLastModifiedTime(directory.resolve("lock"), FileTime.from(ago(before)));
    }

    private static Instant ago(Duration time) {
        return Instant.now().minus(time);
    }

    private static Process started(Class<?> program, Path directory) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        program.getName(),
                        directory.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    /** Starts a server, as the launchers do. */
    static final class JvmThatIsKilled {
        private JvmThatIsKilled() {}

        public static void main(String[] arguments) throws IOException {
            ServerDirectory directory = ServerDirectory.open(Path.of(arguments[0]), "server");
            Path data = Files.createDirectory(directory.data());
            ServerProcess server = ServerProcess.start(new ServerProgram(
                    "server",
                    List.of("sh", "-c", "sleep 600; true", "--data=" + data),
                    Map.of(),
                    directory.log(),
                    "TERM"));
            Files.writeString(data.resolve("server.pid"), Long.toString(server.pid()));
            System.out.println(server.pid());
            System.in.read(); // until killed
        }
    }

    static final class JvmThatLocks {
        private JvmThatLocks() {}

        static boolean succeeds(Path directory) throws IOException {
            return started(JvmThatLocks.class, directory).onExit().join().exitValue() == 0;
        }

        public static void main(String[] arguments) {
            ServerDirectory.open(Path.of(arguments[0]), "locked").close();
        }
    }
}

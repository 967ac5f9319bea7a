package io.outboxed.servers.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerProcessTest {
    @TempDir
    Path directory;

    /** Only servers that are ready are children. The others and the programs that prepare data are in no list of them. */
    @Test
    void a_program_that_is_still_starting_ends_with_its_jvm() throws Exception {
        Process jvm = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Starter.class.getName(),
                        directory.resolve("log").toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String pid = new String(jvm.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(jvm.waitFor()).isZero();
        ProcessHandle.of(Long.parseLong(pid)).ifPresent(left -> {
            left.destroyForcibly();
            assertThat(left).as("still runs after its JVM").isNull();
        });
    }

    /** PostgreSQL starts some of its own as soon as it is ready; one that is left keeps its data directory locked. */
    @Test
    void a_program_that_is_just_starting_others_leaves_none_when_it_is_killed() {
        String other = "sleep 600." + ProcessHandle.current().pid();
        ServerProgram forking = new ServerProgram(
                "forking",
                List.of("sh", "-c", "i=0; while [ $i -lt 300 ]; do " + other + " & i=$((i+1)); echo $i; done; wait"),
                Map.of(),
                directory.resolve("log"),
                "TERM");
        for (int times = 0; times < 5; times++) {
            ServerProcess.start(forking).awaitLogged("1\n").kill();
            assertThat(running(other)).isEmpty();
        }
    }

    private static List<ProcessHandle> running(String command) {
        List<ProcessHandle> found = ProcessHandle.allProcesses()
                .filter(each -> each.info().commandLine().orElse("").endsWith(command))
                .toList();
        found.forEach(ProcessHandle::destroyForcibly);
        return found;
    }

    /** Ends at once, as after Ctrl-C, while its program starts. */
    static final class Starter {
        private Starter() {}

        public static void main(String[] arguments) {
            ServerProgram slow =
                    new ServerProgram("slow", List.of("sleep", "600"), Map.of(), Path.of(arguments[0]), "TERM");
            System.out.print(ServerProcess.start(slow).pid());
        }
    }
}

package io.outboxed.bench;

import com.gruelbox.transactionoutbox.TransactionOutbox;
import io.outboxed.bench.database.BenchDatabase;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The versions of everything that was measured. */
final class Versions {
    private Versions() {}

    static String of(Options options, BenchDatabase database) {
        String server = options.distribution() == null
                ? options.server()
                : options.distribution().getFileName().toString().replaceAll("\\.(jar|zip)$", "");
        return String.join(
                "; ",
                "outboxed " + commit(),
                server + " " + String.join(" ", options.jvm()),
                database.description(),
                jar(TransactionOutbox.class));
    }

    private static String jar(Class<?> type) {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().getPath())
                .getFileName()
                .toString()
                .replace(".jar", "");
    }

    /** As described by git; "unknown" without git. */
    private static String commit() {
        try {
            Process git = new ProcessBuilder(List.of("git", "describe", "--always", "--dirty"))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String answer = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return git.waitFor(5, TimeUnit.SECONDS) && !answer.isEmpty() ? answer : "of an unknown commit";
        } catch (IOException e) {
            return "of an unknown commit";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "of an unknown commit";
        }
    }
}

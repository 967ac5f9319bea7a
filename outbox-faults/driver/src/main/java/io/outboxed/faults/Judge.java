package io.outboxed.faults;

import io.outboxed.faults.history.Call;
import io.outboxed.faults.history.Findings;
import io.outboxed.faults.history.History;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Judges a run again, with checks that may be better than those of its time. */
final class Judge {
    private Judge() {}

    /**
     * @param directory of the run
     * @return whether every promise was kept
     */
    static boolean judge(Path directory) {
        Findings findings = History.read(directory).judge(Call.read(journals(directory)));
        findings.explain(Say::line);
        for (Findings.Kind kind : Findings.Kind.values()) {
            Say.line("| " + kind.text + " | " + findings.count(kind) + " |");
        }
        return findings.allowed();
    }

    private static List<Path> journals(Path directory) {
        try (Stream<Path> nodes = Files.list(directory)) {
            return nodes.map(node -> node.resolve("journal"))
                    .filter(Files::exists)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

package io.outboxed.compatibility;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The results of the last full run as Markdown. */
final class CompatibilityTables {
    private final List<Cell> cells;

    CompatibilityTables(List<Cell> cells) {
        this.cells = cells;
    }

    /** One line for each run. */
    String full() {
        List<String> lines = new ArrayList<>(List.of(
                "| server | Java | database | tests | failed | minutes | run at (UTC) |",
                "|---|---|---|--:|--:|--:|---|"));
        for (Cell cell : cells) {
            lines.add("| " + cell.server() + " | " + cell.java() + " | " + cell.database() + " | " + cell.tests()
                    + " | " + cell.failed() + " | " + minutes(cell.seconds()) + " | " + cell.started() + " |");
        }
        return String.join("\n", lines);
    }

    /** Servers against databases; each field says on which Java all tests passed. */
    String summary() {
        List<String> databases = cells.stream().map(Cell::database).distinct().toList();
        List<String> lines = new ArrayList<>();
        lines.add("| | " + String.join(" | ", databases) + " |");
        lines.add("|---|" + "---|".repeat(databases.size()));
        for (String server : cells.stream().map(Cell::server).distinct().toList()) {
            lines.add("| " + server + " | "
                    + databases.stream()
                            .map(database -> field(server, database))
                            .collect(Collectors.joining(" | "))
                    + " |");
        }
        return String.join("\n", lines);
    }

    private String field(String server, String database) {
        List<Cell> runs = cells.stream()
                .filter(cell -> cell.server().equals(server) && cell.database().equals(database))
                .toList();
        return runs.isEmpty()
                ? "not run"
                : runs.stream()
                        .map(cell -> "Java " + cell.javaMajor() + (cell.passed() ? " ✓" : " **failed**"))
                        .collect(Collectors.joining(", "));
    }

    private static String minutes(int seconds) {
        return seconds / 60 + ":" + (seconds % 60 < 10 ? "0" : "") + seconds % 60;
    }
}

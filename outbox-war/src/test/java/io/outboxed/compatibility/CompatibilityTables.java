package io.outboxed.compatibility;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The results of the last full run as Markdown. */
final class CompatibilityTables {
    private final List<Cell> cells;

    CompatibilityTables(List<Cell> cells) {
        this.cells = cells;
    }

    /** One line for each run, and below them which test classes the letters stand for. */
    String full() {
        List<String> lines = new ArrayList<>(List.of(
                "| server | Java | database | tests | failed | minutes | classes | build | run at (UTC) |",
                "|---|---|---|--:|--:|--:|---|---|---|"));
        Map<List<String>, String> letters = new LinkedHashMap<>();
        for (Cell cell : cells) {
            String letter = letters.computeIfAbsent(cell.classes(), key -> Character.toString('A' + letters.size()));
            lines.add("| " + cell.server() + " | " + cell.java() + " | " + cell.database() + " | " + cell.tests()
                    + " | " + cell.failed() + " | " + minutes(cell.seconds()) + " | " + letter + " | " + cell.build()
                    + " | " + cell.started() + " |");
        }
        lines.add("");
        letters.forEach((classes, letter) -> lines.add("* " + letter + ": "
                + classes.stream().map(each -> "`" + each + "`").collect(Collectors.joining(", "))));
        return String.join("\n", lines);
    }

    /** Servers against databases; each field says on which Java all tests passed. */
    String summary() {
        Map<String, Set<String>> databases = new LinkedHashMap<>();
        for (Cell cell : cells) {
            databases
                    .computeIfAbsent(product(cell), key -> new TreeSet<>())
                    .add(cell.database().substring(product(cell).length() + 1));
        }
        List<String> lines = new ArrayList<>();
        lines.add("| | "
                + databases.entrySet().stream()
                        .map(each -> each.getKey() + " " + String.join(" or ", each.getValue()))
                        .collect(Collectors.joining(" | "))
                + " |");
        lines.add("|---|" + "---|".repeat(databases.size()));
        for (String server : cells.stream().map(Cell::server).distinct().toList()) {
            lines.add("| " + server + " | "
                    + databases.keySet().stream()
                            .map(database -> field(server, database))
                            .collect(Collectors.joining(" | "))
                    + " |");
        }
        return String.join("\n", lines);
    }

    private static String product(Cell cell) {
        return cell.database().split(" ", 2)[0];
    }

    private String field(String server, String database) {
        List<Cell> runs = cells.stream()
                .filter(cell -> cell.server().equals(server) && product(cell).equals(database))
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

package io.outboxed.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The rights of a command, as {@code docs/operations.md} lists them.
 *
 * @param command with the options that need more
 */
record CommandRights(String command, List<Right> rights) {
    private static final Path PAGE = Path.of("..", "docs", "operations.md");
    private static final String HEADING = "| command | `INSERT` on | `UPDATE` on | `DELETE` on |\n";
    private static final List<String> PRIVILEGES = List.of("INSERT", "UPDATE", "DELETE");
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");

    record Right(String privilege, String table) {}

    static List<CommandRights> documented() {
        String page;
        try {
            page = Files.readString(PAGE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        List<CommandRights> all = new ArrayList<>();
        page.substring(page.indexOf(HEADING)).split("\n\n")[0].lines().skip(2).forEach(line -> all.addAll(row(line)));
        return all;
    }

    static CommandRights of(String command) {
        return documented().stream()
                .filter(row -> row.command().equals(command))
                .findFirst()
                .orElseThrow();
    }

    private static List<CommandRights> row(String line) {
        String[] cells = line.substring(1).split("\\|", -1);
        List<Right> rights = new ArrayList<>();
        for (int i = 0; i < PRIVILEGES.size(); i++) {
            for (String table : codes(cells[i + 1])) {
                rights.add(new Right(PRIVILEGES.get(i), table));
            }
        }
        return codes(cells[0]).stream()
                .map(command -> new CommandRights(command, rights))
                .toList();
    }

    private static List<String> codes(String cell) {
        List<String> codes = new ArrayList<>();
        Matcher matcher = CODE.matcher(cell);
        while (matcher.find()) {
            codes.add(matcher.group(1));
        }
        return codes;
    }

    @Override
    public String toString() {
        return command;
    }
}

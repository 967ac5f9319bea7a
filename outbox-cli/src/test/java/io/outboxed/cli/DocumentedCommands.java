package io.outboxed.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Reads the commands that a page of the documentation shows. */
final class DocumentedCommands {
    private static final Path DOCS = Path.of("..", "docs");
    /** In a list, a block is indented. */
    private static final Pattern FENCE = Pattern.compile("\n *```[a-z]*(?=\n)");

    private static final Pattern IN_TEXT = Pattern.compile("`(outbox\\s[^`]+)`");

    private DocumentedCommands() {}

    static String text(String page) throws IOException {
        return Files.readString(DOCS.resolve(page));
    }

    /** The commands of the block that contains this. */
    static List<String> block(String page, String part) throws IOException {
        return blocks(page).stream()
                .filter(block -> block.contains(part))
                .findFirst()
                .orElseThrow()
                .lines()
                .filter(line -> !line.isBlank())
                .toList();
    }

    /** Each begins with a line break, and none is indented. */
    static List<String> blocks(String page) throws IOException {
        String[] parts = FENCE.split(text(page));
        List<String> blocks = new ArrayList<>();
        for (int i = 1; i < parts.length; i += 2) {
            blocks.add(parts[i].stripIndent());
        }
        return blocks;
    }

    /** The different commands in the text itself that contain this; the page may break their lines. */
    static List<String> inText(String page, String part) throws IOException {
        return IN_TEXT.matcher(text(page))
                .results()
                .map(found -> found.group(1).replaceAll("\\s+", " "))
                .filter(command -> command.contains(part))
                .distinct()
                .toList();
    }
}

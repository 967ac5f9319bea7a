package io.outboxed.internal.schema;

import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.SqlText;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** A file of statements in the jar, written for the prefix outbox_. Comments are whole lines. */
final class SqlFile {
    private SqlFile() {}

    /** With its comments, for this prefix. */
    static String text(String resource, Dialect dialect, String prefix) {
        try (InputStream in = SqlFile.class.getResourceAsStream(resource)) {
            return new SqlText(dialect, prefix).of(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<String> statements(String text) {
        String code = text.lines().filter(line -> !line.startsWith("--")).collect(Collectors.joining("\n"));
        return Arrays.stream(code.split(";\\s*(?:\\n|$)"))
                .map(String::strip)
                .filter(statement -> !statement.isEmpty())
                .toList();
    }
}

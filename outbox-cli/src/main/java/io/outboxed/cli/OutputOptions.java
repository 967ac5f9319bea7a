package io.outboxed.cli;

import io.outboxed.cli.output.Json;
import io.outboxed.cli.output.Terminal;
import java.io.PrintWriter;
import java.util.Map;
import java.util.function.Consumer;
import picocli.CommandLine.Option;

/** Output as text or as JSON. */
final class OutputOptions {
    private final Terminal terminal;

    @Option(names = "--json", description = "print one line of JSON instead of text")
    boolean json;

    OutputOptions(Terminal terminal) {
        this.terminal = terminal;
    }

    /** Prints one of the two. */
    void print(Map<String, ?> object, Consumer<PrintWriter> text) {
        if (json) {
            terminal.out().println(Json.text(object));
        } else {
            text.accept(terminal.out());
        }
        terminal.out().flush();
    }

    /** Only printed with the text. */
    void note(Consumer<PrintWriter> text) {
        if (!json) {
            text.accept(terminal.out());
            terminal.out().flush();
        }
    }
}

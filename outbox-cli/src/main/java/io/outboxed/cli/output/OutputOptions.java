package io.outboxed.cli.output;

import java.io.PrintWriter;
import java.util.Map;
import java.util.function.Consumer;
import picocli.CommandLine.Option;

/** Output as text or as JSON. */
public final class OutputOptions {
    private final Terminal terminal;

    @Option(names = "--json", description = "print one line of JSON instead of text")
    boolean json;

    public OutputOptions(Terminal terminal) {
        this.terminal = terminal;
    }

    public boolean isJson() {
        return json;
    }

    /** Prints one of the two. */
    public void print(Map<String, ?> object, Consumer<PrintWriter> text) {
        if (json) {
            terminal.out().println(Json.text(object));
        } else {
            text.accept(terminal.out());
        }
        terminal.out().flush();
    }

    /** Only printed with the text. */
    public void note(Consumer<PrintWriter> text) {
        if (!json) {
            text.accept(terminal.out());
            terminal.out().flush();
        }
    }
}

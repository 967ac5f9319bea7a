package io.outboxed.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.ParseResult;

class LiteralArgumentsTest {

    @Test
    void an_argument_that_begins_with_an_at_sign_is_literal() {
        assertThat(parsed("list", "--aggregate-id", "@@4711").matchedOptionValue("--aggregate-id", ""))
                .isEqualTo("@@4711");
    }

    @Test
    void no_file_of_options_is_read(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("arguments"), "why --all");

        ParseResult parsed = parsed("discard", "--handler", "mail", "--reason", "@" + file);

        assertThat(parsed.matchedOptionValue("--reason", "")).isEqualTo("@" + file);
        assertThat(parsed.hasMatchedOption("--all")).isFalse();
    }

    private static ParseResult parsed(String... arguments) {
        return Main.commandLine(new ScriptedTerminal()).parseArgs(arguments).subcommand();
    }
}

package io.outboxed.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Dialect;
import io.outboxed.operator.Tables;
import org.h2.util.json.JSONStringSource;

/** Runs commands on the tables of a test, as the contracts of commands need it. */
interface CommandRunner {
    Dialect dialect();

    ConnectionSource source();

    Tables tables();

    /** Of the last command, or of the next one if it is new. */
    ScriptedTerminal terminal();

    ScriptedTerminal newTerminal();

    /** @return the exit code */
    int run(String... arguments);

    /** What the audit has of a name that is given with {@code --by}. */
    static String audited(String name) {
        String login = System.getProperty("user.name");
        return name.equals(login) ? name : name + " (" + login + ")";
    }

    /** The output of one successful call. */
    default String output(String... arguments) {
        newTerminal();
        int exit = run(arguments);
        assertThat(exit).as(terminal().errors()).isZero();
        return terminal().output();
    }

    default String json(String... arguments) {
        String text = output(arguments);
        assertThat(text.lines()).hasSize(1);
        assertThat(JSONStringSource.normalize(text)).as("valid JSON").isNotNull();
        return text;
    }
}

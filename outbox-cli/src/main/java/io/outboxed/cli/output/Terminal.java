package io.outboxed.cli.output;

import java.io.PrintWriter;
import java.time.Duration;

/** What one call of the command line runs in. */
public interface Terminal {
    /** Results. */
    PrintWriter out();

    /** Progress, questions and errors. */
    PrintWriter err();

    /** A variable of the environment, or null. */
    String variable(String name);

    /** Whether someone can answer questions. */
    boolean isInteractive();

    /** Asks a question; null if the input has ended. */
    String ask(String question);

    /** Has the operator type a word, unless there is no one to answer or a program reads the output. */
    default boolean confirms(String word, String deed, boolean json) {
        if (!isInteractive() || json) {
            err().println("outbox: pass --yes to " + deed);
            return false;
        }
        return word.equals(ask("Type \"" + word + "\" to continue: "));
    }

    /** Asks a question whose answer is not shown; null if the input has ended. */
    String askSecretly(String question);

    /**
     * Waits.
     *
     * @return false if the command has to end
     */
    boolean pause(Duration duration);
}

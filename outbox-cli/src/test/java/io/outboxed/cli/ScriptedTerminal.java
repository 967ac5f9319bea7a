package io.outboxed.cli;

import io.outboxed.cli.output.Terminal;
import java.io.FilterWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;

/** A terminal whose answers are known before. */
class ScriptedTerminal implements Terminal {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final PrintWriter outWriter = new PrintWriter(new FilterWriter(out) {
        @Override
        public void write(String text, int from, int length) throws IOException {
            if (outIsClosed) {
                throw new IOException("Broken pipe");
            }
            super.write(text, from, length);
        }
    });
    private final PrintWriter errWriter = new PrintWriter(err);
    private final Map<String, String> variables = new HashMap<>();
    private final Deque<String> answers = new ArrayDeque<>();
    private List<Duration> durations = new ArrayList<>();
    private IntPredicate onPause = count -> true;
    private Runnable onQuestion = () -> {};
    private boolean interactive;
    private boolean outIsClosed;
    private int pauses;

    ScriptedTerminal with(String variable, String value) {
        variables.put(variable, value);
        return this;
    }

    ScriptedTerminal answering(String... texts) {
        interactive = true;
        answers.addAll(List.of(texts));
        return this;
    }

    /** @param hook gets the number of the pause; false ends the command */
    ScriptedTerminal onPause(IntPredicate hook) {
        onPause = hook;
        return this;
    }

    /** Its reader has gone. */
    void closeOutput() {
        outIsClosed = true;
    }

    /** @param timed gets the duration of each pause */
    ScriptedTerminal timedPauses(List<Duration> timed) {
        durations = timed;
        return this;
    }

    /** @param hook runs before each answer */
    ScriptedTerminal onQuestion(Runnable hook) {
        onQuestion = hook;
        return this;
    }

    String output() {
        outWriter.flush();
        return out.toString();
    }

    String errors() {
        errWriter.flush();
        return err.toString();
    }

    @Override
    public PrintWriter out() {
        return outWriter;
    }

    @Override
    public PrintWriter err() {
        return errWriter;
    }

    @Override
    public String variable(String name) {
        return variables.get(name);
    }

    @Override
    public boolean isInteractive() {
        return interactive;
    }

    @Override
    public String ask(String question) {
        errWriter.println(question);
        onQuestion.run();
        return answers.poll();
    }

    @Override
    public String askSecretly(String question) {
        return ask(question);
    }

    @Override
    public boolean pause(Duration duration) {
        durations.add(duration);
        return onPause.test(++pauses);
    }
}

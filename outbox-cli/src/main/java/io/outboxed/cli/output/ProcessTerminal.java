package io.outboxed.cli.output;

import java.io.Console;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.time.Duration;

/** The terminal of this process. */
public final class ProcessTerminal implements Terminal {
    private final Console console = System.console();
    private final PrintWriter out = new PrintWriter(System.out, true, charset("stdout.encoding"));
    private final PrintWriter err = new PrintWriter(System.err, true, charset("stderr.encoding"));

    /** JDK 17 does not set these properties. */
    private static Charset charset(String property) {
        String name = System.getProperty(property);
        return name == null ? Charset.defaultCharset() : Charset.forName(name);
    }

    @Override
    public PrintWriter out() {
        return out;
    }

    @Override
    public PrintWriter err() {
        return err;
    }

    @Override
    public String variable(String name) {
        return System.getenv(name);
    }

    /** Since JDK 22 there may be a console that is no terminal. */
    @Override
    public boolean isInteractive() {
        if (console == null) {
            return false;
        }
        try {
            return (boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (ReflectiveOperationException olderJdk) {
            return true;
        }
    }

    @Override
    public String ask(String question) {
        err.print(question);
        err.flush();
        return console.readLine();
    }

    @Override
    public String askSecretly(String question) {
        char[] answer = console.readPassword("%s", question);
        return answer == null ? null : new String(answer);
    }

    @Override
    public boolean pause(Duration duration) {
        try {
            Thread.sleep(duration.toMillis());
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}

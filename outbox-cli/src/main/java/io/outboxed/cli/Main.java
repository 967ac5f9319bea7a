package io.outboxed.cli;

import io.outboxed.cli.output.ProcessTerminal;
import io.outboxed.cli.output.Terminal;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.TypeConversionException;

/** The program. */
public final class Main {
    private static final Pattern UUID_TEXT = Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

    /** Drivers log the part of a URL that they can't read. Held here, because the JDK forgets unused loggers. */
    private static final List<Logger> DRIVERS = Stream.of("org.postgresql", "com.mysql", "MySQL", "org.mariadb")
            .map(Logger::getLogger)
            .toList();

    private Main() {}

    public static void main(String[] arguments) {
        // one line for each entry of the log, on the error output
        System.setProperty("java.util.logging.SimpleFormatter.format", "%1$tFT%1$tT%1$tz %4$s %5$s%6$s%n");
        DRIVERS.forEach(log -> log.setLevel(Level.OFF));
        System.exit(run(new ProcessTerminal(), arguments));
    }

    static int run(Terminal terminal, String... arguments) {
        try {
            int exit = commandLine(terminal).execute(arguments);
            // the writer keeps it to itself, for example that a disk is full
            boolean unwritten = exit == ExitCode.OK && terminal.out().checkError();
            return unwritten ? new ErrorReport(terminal).unwritten() : exit;
        } catch (Error e) {
            // picocli catches exceptions only, and a JVM that ends by an error does so with the code of a check
            return new ErrorReport(terminal).inTheProgram(e);
        }
    }

    static CommandLine commandLine(Terminal terminal) {
        CommandLine.IFactory factory = new CommandFactory(terminal);
        CommandLine program = new CommandLine(new OutboxCommand(), factory);
        // picocli takes it for a help command, of which it ignores wrong arguments
        program.getSubcommands().get("generate-completion").getCommandSpec().helpCommand(false);
        return program.setOut(terminal.out())
                .setErr(terminal.err())
                .setExecutionExceptionHandler(new ErrorReport(terminal))
                .setParameterExceptionHandler(new ErrorReport(terminal))
                .setCaseInsensitiveEnumValuesAllowed(true)
                // what a script passes on may begin with @, and must not read a file of options such as --all
                .setExpandAtFiles(false)
                .registerConverter(UUID.class, Main::id)
                .registerConverter(String.class, Main::text)
                .registerConverter(Path.class, text -> Path.of(text(text)));
    }

    /** An empty variable of a script must not select everything: each error contains the empty text. */
    private static String text(String text) {
        if (text.isEmpty()) {
            throw new TypeConversionException("it is empty; leave the option out instead");
        }
        return text;
    }

    private static UUID id(String text) {
        // fromString fills up what is too short: of "1-1-1-1-1" it makes an id that was not asked for
        if (!UUID_TEXT.matcher(text).matches()) {
            throw new TypeConversionException("\"" + text + "\" is no id, which has 32 hexadecimal digits");
        }
        return UUID.fromString(text);
    }

    /** Creates commands and groups of options; those that need the terminal get it. */
    private record CommandFactory(Terminal terminal) implements CommandLine.IFactory {

        @Override
        public <K> K create(Class<K> type) throws Exception {
            try {
                return type.getDeclaredConstructor(Terminal.class).newInstance(terminal);
            } catch (NoSuchMethodException e) {
                return CommandLine.defaultFactory().create(type);
            }
        }
    }
}

package io.outboxed.cli;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import picocli.CommandLine;

/** All that exist. */
final class Commands {
    static final Set<String> WITHOUT_DATABASE = Set.of("schema print", "generate-completion");

    private Commands() {}

    static Set<String> names() {
        return of(Main.commandLine(new ScriptedTerminal())).keySet();
    }

    /** By name, for example {@code schema print}. */
    static Map<String, CommandLine> of(CommandLine program) {
        Map<String, CommandLine> commands = new TreeMap<>();
        collect(program, "", commands);
        return commands;
    }

    private static void collect(CommandLine command, String name, Map<String, CommandLine> commands) {
        if (command.getSubcommands().isEmpty()) {
            commands.put(name.strip(), command);
        }
        command.getSubcommands().forEach((word, each) -> collect(each, name + " " + word, commands));
    }
}

package io.outboxed.cli;

import io.outboxed.cli.output.Terminal;
import picocli.CommandLine;

/** Creates commands and groups of options; those that need the terminal get it. */
record CommandFactory(Terminal terminal) implements CommandLine.IFactory {

    @Override
    public <K> K create(Class<K> type) throws Exception {
        try {
            return type.getDeclaredConstructor(Terminal.class).newInstance(terminal);
        } catch (NoSuchMethodException e) {
            return CommandLine.defaultFactory().create(type);
        }
    }
}

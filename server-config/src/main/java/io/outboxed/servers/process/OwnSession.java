package io.outboxed.servers.process;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs a command in a session of its own: Ctrl-C in the terminal goes to every process of the session at once, but the
 * servers have to be stopped one after another, by this JVM.
 */
final class OwnSession {
    private static final Path SETSID = Path.of("/usr/bin/setsid");

    private OwnSession() {}

    static List<String> of(List<String> command) {
        List<String> all = new ArrayList<>(command);
        if (Files.isExecutable(SETSID)) {
            all.add(0, SETSID.toString());
        }
        return all;
    }
}

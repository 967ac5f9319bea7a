package io.outboxed.servers.database;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * How a real database is started.
 *
 * @param directory for the server's data and log, kept when the server is closed; null for a temporary directory that
 *     is deleted then
 * @param port 0 for any free port
 * @param durable true: a commit has reached the disk when it returns. False: it has reached the operating system, which
 *     is faster and survives a killed server, but not a power cut
 * @param arguments passed unchanged to the server's program, after our own
 */
public record ServerOptions(Path directory, int port, boolean durable, List<String> arguments) {

    public ServerOptions {
        arguments = List.copyOf(arguments);
        directory = directory == null ? null : directory.toAbsolutePath().normalize();
    }

    /** The options for tests: a free port, a temporary directory, not durable. */
    public static ServerOptions temporary() {
        return new ServerOptions(null, 0, false, List.of());
    }

    /** Data in the given directory, which is created if it is missing and survives {@link RealDatabase#close()}. */
    public static ServerOptions in(Path directory) {
        return new ServerOptions(directory, 0, false, List.of());
    }

    public ServerOptions onPort(int fixed) {
        return new ServerOptions(directory, fixed, durable, arguments);
    }

    public ServerOptions durably() {
        return new ServerOptions(directory, port, true, arguments);
    }

    /** One more argument for the server's program, for example {@code --max-connections=20}. */
    public ServerOptions with(String argument) {
        List<String> all = new ArrayList<>(arguments);
        all.add(argument);
        return new ServerOptions(directory, port, durable, all);
    }
}

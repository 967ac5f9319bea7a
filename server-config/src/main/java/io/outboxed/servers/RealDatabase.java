package io.outboxed.servers;

import java.nio.file.Path;

/**
 * A database server in a process of its own, listening on 127.0.0.1, with an empty database {@code outbox} owned by a
 * user of that name. Ended with {@link #close()}, at the latest when this JVM ends. Not thread-safe.
 */
public abstract sealed class RealDatabase implements AutoCloseable permits RealMySql, RealPostgres {
    private static final int ATTEMPTS = 3;

    private final ServerOptions options;
    private final ServerDirectory directory;
    private int port;
    private ServerProcess process;

    RealDatabase(ServerOptions options) {
        this.options = options;
        this.directory = ServerDirectory.open(options.directory(), getClass().getSimpleName());
    }

    /** The JDBC URL, without user and password. */
    public abstract String url();

    public final String user() {
        return "outbox";
    }

    public final String password() {
        return "outbox";
    }

    public final int port() {
        return port;
    }

    public final long pid() {
        return process.pid();
    }

    /** What the server and the programs that prepared its data have written. */
    public final Path log() {
        return directory.log();
    }

    /** SIGKILL, and only then returns: connections are cut off in the middle of whatever they do. */
    public final void kill() {
        process.kill();
    }

    /** Starts the server again on its data and its port, after {@link #kill()} or ending it cleanly. */
    public final void restart() {
        process.stop();
        process = launch(port);
    }

    /** Ends the server; temporary data is deleted. */
    @Override
    public final void close() {
        Children.forget(this);
        if (process != null && directory.temporary()) {
            process.kill();
        } else if (process != null) {
            process.stop();
        }
        directory.close();
    }

    /** Prepares the data directory if it has none yet. */
    abstract void prepare(ServerDirectory directory);

    abstract ServerProcess launch(ServerDirectory directory, ServerOptions options, int port);

    final void begin() {
        Children.endAtExit(this);
        try {
            prepare(directory);
            startOnPort();
        } catch (RuntimeException e) {
            Children.forget(this);
            directory.close();
            throw e;
        }
    }

    /** Somebody else may take a free port between our asking for it and the server's binding it: then another one. */
    private void startOnPort() {
        for (int attempt = 1; process == null; attempt++) {
            port = options.port() == 0 ? FreePort.any() : options.port();
            try {
                process = launch(port);
            } catch (ServerFailedException e) {
                if (options.port() != 0 || attempt == ATTEMPTS || FreePort.isFree(port)) {
                    throw e;
                }
            }
        }
    }

    private ServerProcess launch(int onPort) {
        return launch(directory, options, onPort);
    }
}

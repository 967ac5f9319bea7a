package io.outboxed.servers.database;

import io.outboxed.servers.files.ServerDirectory;
import io.outboxed.servers.process.Children;
import io.outboxed.servers.process.FreePort;
import io.outboxed.servers.process.ServerFailedException;
import io.outboxed.servers.process.ServerProcess;
import java.nio.file.Path;

/**
 * A database server in a process of its own, listening on 127.0.0.1, with an empty database {@code outbox} owned by a
 * user of that name. Stopped by {@link #close()}, at the latest when this JVM ends. Not thread-safe.
 */
public abstract sealed class RealDatabase implements AutoCloseable permits RealMariaDb, RealMySql, RealPostgres {
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

    /** The output of the server and of the programs that prepared its data. */
    public final Path log() {
        return directory.log();
    }

    /** Sends SIGKILL and returns when the process has ended: connections are cut off in the middle of their work. */
    public final void kill() {
        process.kill();
    }

    /** Starts the server again on its data and its port, after {@link #kill()} or after stopping it cleanly. */
    public final void restart() {
        process.stop();
        process = launch(port);
    }

    /** Stops the server; temporary data is deleted. */
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

    /** Prepares the data directory if it is empty. */
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

    /** Another process may take a free port before the server binds it; then another port is used. */
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

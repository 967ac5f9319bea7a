package io.outboxed.servers.process;

/** A server could not be started or stopped; the message contains the last lines of its log. */
public final class ServerFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ServerFailedException(String message) {
        super(message);
    }

    public ServerFailedException(String message, Throwable cause) {
        super(message, cause);
    }
}

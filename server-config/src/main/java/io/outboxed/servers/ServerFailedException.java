package io.outboxed.servers;

/** A server could not be started or ended; the message holds the last lines of its log. */
public final class ServerFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ServerFailedException(String message) {
        super(message);
    }

    ServerFailedException(String message, Throwable cause) {
        super(message, cause);
    }
}

package io.outboxed.rest.problem;

import io.outboxed.OutboxException;
import io.outboxed.internal.log.OutboxLog;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Answers failures. Containers may wrap them, so all causes are examined. No answer contains the text of a failure. */
public class AdminErrors implements ExceptionMapper<Throwable> {
    private static final int DEEPEST = 20;
    /** The database has not answered yet, or an operator's call to it failed. */
    private static final Set<String> UNAVAILABLE = Set.of("OUTBOX-0441", "OUTBOX-0443", "OUTBOX-0446");

    @Override
    public Response toResponse(Throwable failure) {
        return find(failure, ProblemException.class)
                .map(ProblemException::problem)
                .orElseGet(() -> unexpected(failure))
                .response()
                .build();
    }

    static Problem failed(Throwable failure) {
        OutboxLog.adminFailed(failure);
        return Problem.of(ProblemType.FAILED, "The request failed; see OUTBOX-0903 in the server's log.");
    }

    private static Problem unexpected(Throwable failure) {
        boolean unavailable = find(failure, OutboxException.class)
                .filter(known -> UNAVAILABLE.contains(known.code()))
                .isPresent();
        if (unavailable) {
            OutboxLog.adminUnavailable(failure);
            return Problem.of(
                    ProblemType.DATABASE_UNAVAILABLE,
                    "The database does not answer or a row is locked. What was changed before stays changed; repeating"
                            + " the request is safe.");
        }
        return failed(failure);
    }

    private static <T extends Throwable> Optional<T> find(Throwable failure, Class<T> type) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
                .limit(DEEPEST)
                .filter(type::isInstance)
                .map(type::cast)
                .findFirst();
    }
}

package io.outboxed.rest.problem;

import io.outboxed.OutboxException;
import io.outboxed.admin.OperationRunningException;
import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.log.OutboxLog;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** Answers failures. Containers may wrap them, so all causes are examined. No answer contains the text of a failure. */
public class AdminErrors implements ExceptionMapper<Throwable> {
    private static final int DEEPEST = 20;
    private static final String NOT_YET_ANSWERED = "OUTBOX-0441";

    @Override
    public Response toResponse(Throwable failure) {
        return problem(failure).response().build();
    }

    static Problem problem(Throwable failure) {
        return find(failure, ProblemException.class)
                .map(ProblemException::problem)
                .or(() -> find(failure, OperationRunningException.class).map(AdminErrors::running))
                .orElseGet(() -> isUnavailable(failure) ? unavailable(failure) : failed(failure));
    }

    private static Problem running(OperationRunningException refused) {
        return Problem.of(
                ProblemType.OPERATION_RUNNING,
                "Bulk operation " + refused.operationId()
                        + " has not ended and may select the same dead letters or deliveries;"
                        + " nothing was started by this request. Wait for its end, or cancel it.");
    }

    static Problem failed(Throwable failure) {
        OutboxLog.adminFailed(failure);
        return Problem.of(ProblemType.FAILED, "The request failed; see OUTBOX-0903 in the server's log.");
    }

    private static Problem unavailable(Throwable failure) {
        OutboxLog.adminUnavailable(failure);
        return Problem.of(
                ProblemType.DATABASE_UNAVAILABLE,
                "The database does not answer, has ended a statement at its limit of time, or a row is locked. Changes"
                        + " already made remain; repeating the request is safe.");
    }

    /** A missing privilege or table does not appear by itself, so repeating the request would not help. */
    private static boolean isUnavailable(Throwable failure) {
        return find(failure, StoreException.class)
                .map(StoreException::isTransient)
                .orElseGet(() -> find(failure, OutboxException.class)
                        .filter(known -> known.code().equals(NOT_YET_ANSWERED))
                        .isPresent());
    }

    private static <T extends Throwable> Optional<T> find(Throwable failure, Class<T> type) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
                .limit(DEEPEST)
                .filter(type::isInstance)
                .map(type::cast)
                .findFirst();
    }
}

package io.outboxed.shop.rest;

import io.outboxed.OutboxException;
import io.outboxed.shop.database.ShopLog;
import io.outboxed.shop.orders.SoldOutException;
import io.outboxed.shop.orders.UnknownOrderException;
import jakarta.persistence.OptimisticLockException;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Answers failures of the shop. Containers wrap them, and WildFly adds the reason of a failed commit as a suppressed
 * exception, so all causes and suppressed exceptions are examined. Also answers errors, whose text WildFly would send.
 */
public class ShopErrors implements ExceptionMapper<Throwable> {

    /** Connection lost, server going down, server starting up. */
    private static final Set<String> UNREACHABLE = Set.of("57P01", "57P02", "57P03", "90067", "90098", "90121");

    private static final String NOT_YET_ANSWERED = "OUTBOX-0441";

    @Override
    public Response toResponse(Throwable failure) {
        return find(failure, BadOrderException.class)
                .map(bad -> new BadOrderErrors().toResponse(bad))
                .or(() -> find(failure, UnknownOrderException.class)
                        .map(unknown -> Problem.of(404, "Unknown order", unknown.getMessage())))
                .or(() -> find(failure, SoldOutException.class)
                        .map(soldOut -> Problem.of(409, "Sold out", soldOut.getMessage())))
                .or(() -> find(failure, OptimisticLockException.class).map(conflict -> conflict()))
                .orElseGet(() -> unexpected(failure));
    }

    private static Response conflict() {
        return Problem.of(409, "Conflict", "The order was changed concurrently; nothing was done. Try again.");
    }

    private static Response unexpected(Throwable failure) {
        if (chain(failure).anyMatch(ShopErrors::unreachable)) {
            ShopLog.unreachable(failure);
            return Problem.of(
                    503,
                    "Database unreachable",
                    "The database can't be reached, so the shop can't take or show orders. If the connection broke during"
                            + " a commit, check whether the order exists before you send it again.");
        }
        ShopLog.failed(failure);
        return Problem.of(500, "Failed", "The shop failed; see OUTBOX-0703 in the server's log.");
    }

    private static boolean unreachable(Throwable cause) {
        if (cause.getClass().getName().equals("jakarta.resource.ResourceException")
                || cause.getClass().getSimpleName().equals("PoolingException")) {
            return true;
        }
        if (cause instanceof OutboxException outbox && outbox.code().equals(NOT_YET_ANSWERED)) {
            return true;
        }
        if (!(cause instanceof SQLException sql)) {
            return false;
        }
        String state = String.valueOf(sql.getSQLState());
        return state.startsWith("08")
                || UNREACHABLE.contains(state)
                || sql instanceof java.sql.SQLNonTransientConnectionException
                || sql instanceof java.sql.SQLTransientConnectionException;
    }

    static <T extends Throwable> Optional<T> find(Throwable failure, Class<T> type) {
        return chain(failure).filter(type::isInstance).map(type::cast).findFirst();
    }

    private static Stream<Throwable> chain(Throwable failure) {
        return Stream.iterate(failure, cause -> cause != null, Throwable::getCause)
                .limit(50)
                .flatMap(cause -> Stream.concat(
                        Stream.of(cause), Stream.of(cause.getSuppressed()).flatMap(ShopErrors::chain)));
    }
}

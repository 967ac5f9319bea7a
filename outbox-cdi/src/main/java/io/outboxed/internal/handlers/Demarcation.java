package io.outboxed.internal.handlers;

import io.outboxed.internal.relay.HandlerMode;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.transaction.Transactional;

/** Who begins the transaction of a delivery, and where. */
enum Demarcation {
    /** The delivery interceptor, inside Fault Tolerance: every retry has its own transaction. */
    EACH_TRY,
    /** The caller of the observer: its container wants a transaction to be there already. */
    AROUND,
    /** No one: the handler suspends a transaction or has its own. */
    OUTSIDE;

    HandlerMode mode() {
        return this == OUTSIDE ? HandlerMode.OUTSIDE : HandlerMode.TRANSACTIONAL;
    }

    static Demarcation of(ObserverMethodInfo observation, BeanManager beans) {
        if (observation.onSessionBean()) {
            return ofSessionBean(observation);
        }
        if (!observation.canBeIntercepted()) {
            return observation.transactional(beans).map(Demarcation::ofType).orElse(EACH_TRY) == OUTSIDE
                    ? OUTSIDE
                    : AROUND;
        }
        return observation.transactional(beans).map(Demarcation::ofType).orElse(EACH_TRY);
    }

    private static Demarcation ofType(Transactional.TxType type) {
        return switch (type) {
            case REQUIRES_NEW, NOT_SUPPORTED, NEVER -> OUTSIDE;
            case MANDATORY -> AROUND;
            case REQUIRED, SUPPORTS -> EACH_TRY;
        };
    }

    private static Demarcation ofSessionBean(ObserverMethodInfo observation) {
        if (observation.managesOwnTransactions()) {
            return OUTSIDE;
        }
        return switch (observation.transactionAttribute()) {
            case "REQUIRES_NEW", "NOT_SUPPORTED", "NEVER" -> OUTSIDE;
            default -> AROUND;
        };
    }
}

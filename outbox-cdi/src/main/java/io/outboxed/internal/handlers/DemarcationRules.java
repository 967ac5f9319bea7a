package io.outboxed.internal.handlers;

import io.outboxed.internal.handlers.invocation.Demarcation;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.transaction.Transactional;

/** Where the transaction of an observer begins, by its annotations and by what the container can intercept. */
final class DemarcationRules {
    private DemarcationRules() {}

    static Demarcation of(ObserverMethodInfo observation, BeanManager beans) {
        if (observation.onSessionBean()) {
            return ofSessionBean(observation);
        }
        Demarcation wanted =
                observation.transactional(beans).map(DemarcationRules::ofType).orElse(Demarcation.EACH_ATTEMPT);
        return observation.canBeIntercepted() || wanted == Demarcation.OUTSIDE ? wanted : Demarcation.AROUND;
    }

    private static Demarcation ofType(Transactional.TxType type) {
        return switch (type) {
            case REQUIRES_NEW, NOT_SUPPORTED, NEVER -> Demarcation.OUTSIDE;
            // begins no transaction itself, and forbids to begin one further inside
            case MANDATORY, SUPPORTS -> Demarcation.AROUND;
            case REQUIRED -> Demarcation.EACH_ATTEMPT;
        };
    }

    private static Demarcation ofSessionBean(ObserverMethodInfo observation) {
        if (observation.managesOwnTransactions()) {
            return Demarcation.OUTSIDE;
        }
        return switch (observation.transactionAttribute()) {
            case "REQUIRES_NEW", "NOT_SUPPORTED", "NEVER" -> Demarcation.OUTSIDE;
            default -> Demarcation.AROUND;
        };
    }
}

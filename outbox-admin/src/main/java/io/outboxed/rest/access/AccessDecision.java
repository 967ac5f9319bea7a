package io.outboxed.rest.access;

import io.outboxed.rest.problem.Problem;
import java.util.Map;

/** What becomes of a request. */
sealed interface AccessDecision {

    /** The API is not enabled: nothing shows that it exists. */
    record Disabled() implements AccessDecision {}

    /** @param headers of the answer */
    record Denied(Problem problem, Map<String, String> headers) implements AccessDecision {
        Denied(Problem problem) {
            this(problem, Map.of());
        }
    }

    record Granted(AdminOperation operation, String user) implements AccessDecision {}
}

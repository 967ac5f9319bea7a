package io.outboxed.rest.access;

import io.outboxed.rest.problem.Problem;
import java.util.Map;

/** What becomes of a request. */
sealed interface Admission {

    /** The API is not enabled: nothing shows that it exists. */
    record Closed() implements Admission {}

    /** @param headers of the answer */
    record Refused(Problem problem, Map<String, String> headers) implements Admission {
        Refused(Problem problem) {
            this(problem, Map.of());
        }
    }

    record Admitted(AdminOperation operation, String user) implements Admission {}
}

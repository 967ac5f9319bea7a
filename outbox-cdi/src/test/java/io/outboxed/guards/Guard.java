package io.outboxed.guards;

import java.util.List;

/**
 * What makes tests pass, and the edits that take it away. Each of the tests must fail with them.
 *
 * @param tests as docs/guarantees.md names them: {@code Class.method}
 * @param database on which class of a contract they run
 */
record Guard(List<String> tests, String database, List<Edit> edits) {

    @Override
    public String toString() {
        return String.join(", ", tests);
    }
}

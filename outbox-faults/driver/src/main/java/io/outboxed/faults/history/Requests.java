package io.outboxed.faults.history;

import io.outboxed.faults.history.Findings.Kind;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What became of requests that their clients repeated, each in a transaction of its own.
 *
 * @param done how often the effect of each was committed
 * @param answered those of which a call returned
 */
public record Requests(Map<String, Long> done, Set<String> answered) {

    public static Requests read(Connection connection, List<String> answered) throws SQLException {
        Map<String, Long> done = new HashMap<>();
        Facts.query(
                connection,
                "SELECT id, COUNT(*) FROM faults_request GROUP BY id",
                row -> done.put(row.getString(1), row.getLong(2)));
        return new Requests(done, new HashSet<>(answered));
    }

    void check(Findings findings) {
        done.forEach((id, times) -> {
            if (times > 1) {
                findings.add(Kind.REQUEST_DOUBLED, "request " + id + ": " + times + " times");
            }
        });
        answered.stream()
                .filter(id -> !done.containsKey(id))
                .forEach(id -> findings.add(Kind.REQUEST_LOST, "request " + id));
    }
}

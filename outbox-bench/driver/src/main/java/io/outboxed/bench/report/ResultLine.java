package io.outboxed.bench.report;

import java.util.LinkedHashMap;
import java.util.Map;

/** The line that scripts read: {@code RESULT {"workload":"W1",...}}. */
public final class ResultLine {
    private ResultLine() {}

    public static String of(Result result) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("workload", result.workload());
        members.put("system", result.system());
        members.put("database", result.database());
        members.put("metric", result.fullMetric());
        members.put("median", result.sample().median());
        members.put("min", result.sample().min());
        members.put("max", result.sample().max());
        members.put("ratio_to_limit", result.ratioToLimit());
        return "RESULT " + Json.object(members);
    }
}

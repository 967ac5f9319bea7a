package io.outboxed.rest.input;

import io.outboxed.rest.problem.Problem;
import io.outboxed.rest.problem.Problem.Field;
import io.outboxed.rest.problem.ProblemException;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.core.UriInfo;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The parameters of an address. */
public final class QueryInput {
    private QueryInput() {}

    /** Runtimes parse the address only when it is asked for. */
    public static Input of(UriInfo address) {
        MultivaluedMap<String, String> parameters;
        try {
            parameters = address.getQueryParameters();
        } catch (IllegalArgumentException e) {
            throw new ProblemException(Problem.illegalAddress());
        }
        return of(parameters);
    }

    public static Input of(MultivaluedMap<String, String> parameters) {
        Map<String, String> values = new HashMap<>();
        List<Field> problems = new ArrayList<>();
        parameters.forEach((name, all) -> {
            values.put(name, all.get(0));
            if (all.size() > 1) {
                problems.add(new Field(name, "occurs " + all.size() + " times, expected once"));
            }
        });
        return new Input(values, problems);
    }
}

package io.outboxed.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.OutboxAdmin;
import io.outboxed.admin.AggregateState;
import io.outboxed.rest.input.QueryInput;
import jakarta.ws.rs.core.MultivaluedHashMap;
import jakarta.ws.rs.core.MultivaluedMap;
import java.lang.reflect.Proxy;
import java.util.List;
import org.junit.jupiter.api.Test;

class AggregateResourceTest {

    @Test
    void an_aggregate_whose_name_has_control_characters_is_found() {
        AggregateResource aggregates = new AggregateResource();
        aggregates.admin = (OutboxAdmin) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {OutboxAdmin.class},
                (proxy, method, asked) ->
                        new AggregateState((String) asked[0], (String) asked[1], 1, null, 0, List.of()));
        MultivaluedMap<String, String> parameters = new MultivaluedHashMap<>();
        parameters.add("type", "or\tder");
        parameters.add("id", "4711\n");

        assertThat(aggregates.aggregate(QueryInput.of(parameters)))
                .extracting(AggregateState::aggregateType, AggregateState::aggregateId)
                .containsExactly("or\tder", "4711\n");
    }
}

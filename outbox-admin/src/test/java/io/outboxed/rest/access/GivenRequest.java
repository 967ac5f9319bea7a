package io.outboxed.rest.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.config.OutboxConfig.Admin;
import io.outboxed.internal.config.OutboxConfig.Payload;
import io.outboxed.internal.config.OutboxConfig.Roles;
import io.outboxed.rest.problem.ProblemType;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** A request, and how it is decided about. */
final class GivenRequest {
    static final String ID = "018f3c1e-7b1a-7000-8000-00000000abcd";
    static final Admin OPEN = new Admin(true, true, Roles.DEFAULTS, "Basic realm=\"outbox\"");

    private final String method;
    private final String path;
    private Supplier<String> query = () -> null;
    private final Map<String, String> headers = new HashMap<>(Map.of("Content-Type", "application/json"));
    private UnaryOperator<String> header = headers::get;
    private Optional<String> user = Optional.empty();
    private List<String> roles = List.of();

    GivenRequest(String method, String path) {
        this.method = method;
        this.path = "admin/v1/" + path;
    }

    GivenRequest as(String name, Role... held) {
        user = Optional.of(name);
        roles = Arrays.stream(held).map(role -> role.in(Roles.DEFAULTS)).toList();
        return this;
    }

    GivenRequest withQuery(String parameters) {
        query = () -> parameters;
        return this;
    }

    GivenRequest withIllegalQuery() {
        query = () -> {
            throw new IllegalArgumentException("Malformed escape pair at index 9: status?x=%zz");
        };
        return this;
    }

    GivenRequest in(String role) {
        user = Optional.of("ada");
        roles = List.of(role);
        return this;
    }

    GivenRequest header(String name, String value) {
        headers.put(name, value);
        return this;
    }

    GivenRequest withoutReadableHeaders() {
        header = name -> {
            throw new IllegalStateException(name + " was read");
        };
        return this;
    }

    RequestFacts facts() {
        return new RequestFacts(method, path, query, header, user, roles::contains);
    }

    static AccessDecision decide(GivenRequest request) {
        return gatekeeper(OPEN).decide(request.facts());
    }

    static AccessPolicy gatekeeper(Admin config) {
        return new AccessPolicy(config, Payload.DEFAULTS);
    }

    static ProblemType problem(AccessDecision decision) {
        assertThat(decision).isInstanceOf(AccessDecision.Denied.class);
        return ((AccessDecision.Denied) decision).problem().type();
    }

    static GivenRequest request(AdminOperation operation) {
        return new GivenRequest(operation.method(), operation.path().replace("{id}", ID));
    }
}

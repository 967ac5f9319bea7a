package io.outboxed.rest.access;

import io.outboxed.internal.config.OutboxConfig;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.container.PreMatching;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import java.security.Principal;
import java.util.Optional;

/**
 * Asks the gatekeeper before the REST runtime looks for a method, so that it answers nothing by itself. It has a scope,
 * because WildFly injects nothing into a filter without one.
 */
@PreMatching
@ApplicationScoped
public class AccessFilter implements ContainerRequestFilter, ContainerResponseFilter {

    @Inject
    OutboxConfig config;

    @Inject
    CurrentRequest current;

    @Override
    public void filter(ContainerRequestContext request) {
        AccessDecision decision = new AccessPolicy(config.admin(), config.payload()).decide(facts(request));
        if (decision instanceof AccessDecision.Granted granted) {
            current.grant(granted);
        } else if (decision instanceof AccessDecision.Denied denied) {
            Response.ResponseBuilder answer = denied.problem().response();
            denied.headers().forEach(answer::header);
            request.abortWith(answer.build());
        } else {
            request.abortWith(Response.status(Response.Status.NOT_FOUND).build());
        }
    }

    private static RequestFacts facts(ContainerRequestContext request) {
        SecurityContext security = request.getSecurityContext();
        String path = request.getUriInfo().getPath(false);
        return new RequestFacts(
                request.getMethod(),
                path.startsWith("/") ? path.substring(1) : path,
                () -> request.getUriInfo().getRequestUri().getRawQuery(),
                request::getHeaderString,
                Optional.ofNullable(security.getUserPrincipal())
                        .map(Principal::getName)
                        .filter(name -> !name.isBlank()),
                security::isUserInRole);
    }

    /** Nothing that comes from an event may become a page. */
    @Override
    public void filter(ContainerRequestContext request, ContainerResponseContext response) {
        if (config.admin().enabled()) {
            response.getHeaders().putSingle("Cache-Control", "no-store");
            response.getHeaders().putSingle("X-Content-Type-Options", "nosniff");
            response.getHeaders()
                    .putSingle("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'; sandbox");
            response.getHeaders().putSingle("Cross-Origin-Resource-Policy", "same-origin");
            response.getHeaders().putSingle("Referrer-Policy", "no-referrer");
        }
    }
}

package io.outboxed.shop.rest;

import io.outboxed.shop.database.ShopSchema;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.ClientErrorException;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;

/**
 * Checks before each request that it comes from our own page or from a program, and that the tables exist. It has a
 * scope, because WildFly injects nothing into a filter without one.
 */
@ApplicationScoped
public class ShopGate implements ContainerRequestFilter, ContainerResponseFilter {

    @Inject
    ShopSchema schema;

    @Override
    public void filter(ContainerRequestContext request) {
        if (fromAnotherSite(request)) {
            request.abortWith(
                    Problem.of(403, "Another site", "Pages of other sites may not place orders; nothing was ordered."));
            return;
        }
        if (isTooLong(request.getHeaderString(HttpHeaders.CONTENT_LENGTH))) {
            throw new ClientErrorException(Response.Status.REQUEST_ENTITY_TOO_LARGE);
        }
        schema.create();
    }

    /** Browsers set this header and pages can't forge it; other clients don't send it. */
    private static boolean fromAnotherSite(ContainerRequestContext request) {
        String site = request.getHeaderString("Sec-Fetch-Site");
        return !request.getMethod().equals("GET")
                && site != null
                && !site.equals("same-origin")
                && !site.equals("none");
    }

    /** {@code getLength} fails if it does not fit into an int. */
    private static boolean isTooLong(String contentLength) {
        try {
            return contentLength != null && Long.parseLong(contentLength) > OrderForm.MAX_BYTES;
        } catch (NumberFormatException e) {
            return true;
        }
    }

    @Override
    public void filter(ContainerRequestContext request, ContainerResponseContext response) {
        response.getHeaders().putSingle(HttpHeaders.CACHE_CONTROL, "no-store");
    }
}

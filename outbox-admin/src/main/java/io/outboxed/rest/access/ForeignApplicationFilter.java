package io.outboxed.rest.access;

import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.PreMatching;
import jakarta.ws.rs.core.PathSegment;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.Provider;
import java.util.stream.Collectors;

/**
 * An application of the user that scans for resources finds ours too, and with them this filter, which is not in the
 * admin API's own list. It answers before the runtime does: a runtime lists the methods of a path, or refuses a media
 * type, without asking anyone.
 */
@Provider
@PreMatching
public class ForeignApplicationFilter implements ContainerRequestFilter {

    @Override
    public void filter(ContainerRequestContext request) {
        // matching ignores matrix parameters, and runtimes differ in empty segments
        String path = request.getUriInfo().getPathSegments().stream()
                .map(PathSegment::getPath)
                .filter(segment -> !segment.isEmpty())
                .collect(Collectors.joining("/"));
        if (!AdminOperation.at(path).isEmpty()) {
            request.abortWith(Response.status(Response.Status.NOT_FOUND).build());
        }
    }
}

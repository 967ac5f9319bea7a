package io.outboxed.rest.access;

import jakarta.annotation.Priority;
import jakarta.inject.Inject;
import jakarta.interceptor.AroundInvoke;
import jakarta.interceptor.Interceptor;
import jakarta.interceptor.InvocationContext;
import jakarta.ws.rs.NotFoundException;

/**
 * The last lock. A REST application of the user that has our resources too, but not {@link ForeignApplicationFilter},
 * would serve them under its own path, without our filter: there no method is run.
 */
@RequiresAccess(AdminOperation.STATUS)
@Interceptor
@Priority(Interceptor.Priority.LIBRARY_BEFORE)
public class AccessInterceptor {

    @Inject
    CurrentRequest current;

    @AroundInvoke
    Object check(InvocationContext call) throws Exception {
        RequiresAccess required = call.getMethod().getAnnotation(RequiresAccess.class);
        if (required == null || current.operation() != required.value()) {
            throw new NotFoundException();
        }
        return call.proceed();
    }
}

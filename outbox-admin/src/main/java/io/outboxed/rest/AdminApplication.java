package io.outboxed.rest;

import io.outboxed.rest.access.AccessFilter;
import io.outboxed.rest.problem.AdminErrors;
import io.outboxed.rest.problem.RestErrors;
import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.core.Application;
import java.util.Set;

/** The admin API. Its classes are listed one by one, to keep it separate from the application's own resources. */
@ApplicationPath("outbox")
public class AdminApplication extends Application {

    @Override
    public Set<Class<?>> getClasses() {
        return Set.of(
                AggregateResource.class,
                AuditResource.class,
                ClusterResource.class,
                DeadLettersResource.class,
                DropResource.class,
                EditResource.class,
                MessageResource.class,
                MessagesResource.class,
                OperationsResource.class,
                PausesResource.class,
                AccessFilter.class,
                RestErrors.class,
                AdminErrors.class);
    }
}

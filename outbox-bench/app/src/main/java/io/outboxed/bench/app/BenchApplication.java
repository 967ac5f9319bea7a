package io.outboxed.bench.app;

import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.core.Application;
import java.util.Set;

/** The control API of the bench application; responses are lines of {@code name=value}. */
@ApplicationPath("/control")
public class BenchApplication extends Application {

    @Override
    public Set<Class<?>> getClasses() {
        return Set.of(FiguresResource.class, LoadResource.class);
    }
}

package io.outboxed.faults.app;

import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.core.Application;
import java.util.Set;

/** The control API for the driver. */
@ApplicationPath("/control")
public class ControlApplication extends Application {

    @Override
    public Set<Class<?>> getClasses() {
        return Set.of(ControlResource.class);
    }
}

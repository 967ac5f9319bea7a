package io.outboxed.shop;

import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.core.Application;
import java.util.Set;

/** The shop over HTTP; its classes are named one by one, so that it stays apart from other REST applications. */
@ApplicationPath("/shop")
public class ShopApplication extends Application {

    @Override
    public Set<Class<?>> getClasses() {
        return Set.of(
                OrdersResource.class,
                LogsResource.class,
                OverviewResource.class,
                ShopGate.class,
                ShopErrors.class,
                RestErrors.class,
                BadOrderErrors.class);
    }
}

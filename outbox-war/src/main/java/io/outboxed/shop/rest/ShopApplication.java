package io.outboxed.shop.rest;

import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.core.Application;
import java.util.Set;

/** The shop's REST application. Its classes are listed one by one, to keep it separate from other REST applications. */
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

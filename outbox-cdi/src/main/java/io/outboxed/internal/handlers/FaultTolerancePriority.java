package io.outboxed.internal.handlers;

import io.outboxed.internal.handlers.invocation.DeliveryTransactionInterceptor;
import jakarta.interceptor.Interceptor;
import org.eclipse.microprofile.config.ConfigProvider;

/** The position of MicroProfile Fault Tolerance among the interceptors of this application. */
record FaultTolerancePriority(int value) {
    static final String KEY = "mp.fault.tolerance.interceptor.priority";
    private static final int BY_SPECIFICATION = Interceptor.Priority.PLATFORM_AFTER + 10;
    private static final int TRANSACTIONAL = Interceptor.Priority.PLATFORM_BEFORE + 200;

    static FaultTolerancePriority configured() {
        return new FaultTolerancePriority(
                ConfigProvider.getConfig().getOptionalValue(KEY, Integer.class).orElse(BY_SPECIFICATION));
    }

    boolean insideTransactional() {
        return value >= TRANSACTIONAL;
    }

    boolean insideDelivery() {
        return value >= DeliveryTransactionInterceptor.PRIORITY;
    }
}

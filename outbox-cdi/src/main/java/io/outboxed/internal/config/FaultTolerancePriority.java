package io.outboxed.internal.config;

import jakarta.interceptor.Interceptor;
import org.eclipse.microprofile.config.ConfigProvider;

/** The position of MicroProfile Fault Tolerance among the interceptors of this application. */
public record FaultTolerancePriority(int value) {
    public static final String KEY = "mp.fault.tolerance.interceptor.priority";
    private static final int BY_SPECIFICATION = Interceptor.Priority.PLATFORM_AFTER + 10;
    private static final int TRANSACTIONAL = Interceptor.Priority.PLATFORM_BEFORE + 200;

    public static FaultTolerancePriority configured() {
        return new FaultTolerancePriority(
                ConfigProvider.getConfig().getOptionalValue(KEY, Integer.class).orElse(BY_SPECIFICATION));
    }

    public boolean insideTransactional() {
        return value >= TRANSACTIONAL;
    }
}

package io.outboxed.internal.capture.event;

import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.stream.BaseStream;

/** Whether a method that returns this type has not done its work when it returns. */
public final class AsyncResult {
    /** By name: they come from libraries. */
    private static final Set<String> OF_LIBRARIES =
            Set.of("org.reactivestreams.Publisher", "io.smallrye.mutiny.Uni", "io.smallrye.mutiny.Multi");

    private AsyncResult() {}

    public static boolean is(Class<?> type) {
        return CompletionStage.class.isAssignableFrom(type)
                || Future.class.isAssignableFrom(type)
                || Flow.Publisher.class.isAssignableFrom(type)
                || BaseStream.class.isAssignableFrom(type)
                || isOfLibrary(type);
    }

    private static boolean isOfLibrary(Class<?> type) {
        if (type == null) {
            return false;
        }
        if (OF_LIBRARIES.contains(type.getName()) || isOfLibrary(type.getSuperclass())) {
            return true;
        }
        for (Class<?> each : type.getInterfaces()) {
            if (isOfLibrary(each)) {
                return true;
            }
        }
        return false;
    }
}

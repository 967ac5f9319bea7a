package io.outboxed.internal.tracing;

import io.outboxed.OutboxMessage;
import java.util.Map;
import java.util.UUID;

/** Creates spans for publishing and handling. Never fails: a broken tracer costs the trace, not the event. */
public interface Tracing {
    Tracing NONE = new NoTracing("off");

    /** Begins the span of a publish, on the publisher's thread. */
    StartedSpan publishing(UUID id, String type, String aggregateType);

    /** Begins the span of one attempt and makes it current on this thread. */
    StartedSpan handling(OutboxMessage message, String handler);

    /** For the start-up report: what traces, or why nothing does. */
    String description();

    /** The span of a publish or of an attempt. */
    interface StartedSpan {

        /** {@code traceparent} and {@code tracestate} for storage; empty without a trace. */
        Map<String, String> headers();

        /** @param errorType a class name or one of a few fixed words */
        void failed(String errorType);

        /** Does not record the failure's message, which may quote the payload. */
        default void failed(Throwable failure) {
            failed(failure.getClass().getName());
        }

        /** Ends the span and restores the thread's previous context. */
        void end();
    }
}

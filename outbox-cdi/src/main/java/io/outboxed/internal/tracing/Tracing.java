package io.outboxed.internal.tracing;

import io.outboxed.OutboxMessage;
import java.util.Map;
import java.util.UUID;

/** Spans around publishing and handling. Never fails: a broken tracer costs the trace, not the event. */
public interface Tracing {
    Tracing NONE = new NoTracing("off");

    /** Begins the span of a publish, on the publisher's thread. */
    StartedSpan publishing(UUID id, String type, String aggregateType);

    /** Begins the span of one try and makes it current on this thread. */
    StartedSpan handling(OutboxMessage message, String handler);

    /** For people: what traces, or why nothing does. */
    String description();

    /** The span of a publish or of a try. */
    interface StartedSpan {

        /** {@code traceparent} and {@code tracestate} as they are to be stored; empty without a trace. */
        Map<String, String> headers();

        /** @param errorType a class's name or a word from a small set */
        void failed(String errorType);

        /** Not the failure's message: it may quote the payload. */
        default void failed(Throwable failure) {
            failed(failure.getClass().getName());
        }

        /** Ends it and gives the thread its former context back. */
        void end();
    }
}

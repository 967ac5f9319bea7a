package io.outboxed.internal.tracing;

import java.util.Locale;
import java.util.Set;

/** The header names of W3C Trace Context, under which a publisher's trace is stored. */
public final class TraceHeaders {
    static final String PARENT = "traceparent";
    static final String STATE = "tracestate";

    /** The specification asks systems to propagate at least this many characters. */
    static final int MAX_STATE = 512;

    private static final Set<String> NAMES = Set.of(PARENT, STATE);

    private TraceHeaders() {}

    /** Ignores case. */
    public static boolean isReserved(String name) {
        return NAMES.contains(name.toLowerCase(Locale.ROOT));
    }
}

package io.outboxed.rest.access;

import java.util.Set;
import java.util.function.UnaryOperator;

/** Recognises requests that a browser sends for a page of another site. Other clients don't send these headers. */
final class Origin {
    private static final Set<String> OWN = Set.of("same-origin", "none");

    private Origin() {}

    static boolean isAnotherSite(UnaryOperator<String> header) {
        String site = header.apply("Sec-Fetch-Site");
        if (site != null) {
            // a proxy may have changed the host, but not what the browser found out
            return !OWN.contains(site);
        }
        String origin = header.apply("Origin");
        return origin != null && !authority(origin).equalsIgnoreCase(header.apply("Host"));
    }

    /** The scheme does not count, because a proxy may have ended TLS. */
    private static String authority(String origin) {
        int end = origin.indexOf("://");
        return end < 0 ? "" : origin.substring(end + 3);
    }
}

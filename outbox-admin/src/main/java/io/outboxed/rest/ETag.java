package io.outboxed.rest;

import io.outboxed.rest.problem.ProblemException;
import io.outboxed.rest.problem.ProblemType;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/**
 * What an operator has seen, so that a second one's change in between is noticed.
 *
 * @param tag as in the headers ETag and If-Match
 */
record ETag(String tag) {
    private static final int BYTES = 12;

    /** @param state records: their text holds all their values */
    static ETag of(Object... state) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256")
                    .digest(Arrays.deepToString(state).getBytes(StandardCharsets.UTF_8));
            return new ETag('"' + Base64.getUrlEncoder().encodeToString(Arrays.copyOf(hash, BYTES)) + '"');
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** Of a change of many: it needs the tag of its preview. */
    static void require(String ifMatch) {
        if (ifMatch == null || isAny(ifMatch)) {
            throw new ProblemException(
                    ProblemType.VERSION_REQUIRED,
                    "Send the ETag of the preview as If-Match, so that you change what you have seen; nothing was"
                            + " changed.");
        }
    }

    /** @param ifMatch the header, or null */
    void check(String ifMatch) {
        if (ifMatch != null && !isAny(ifMatch) && !named(ifMatch).contains(tag)) {
            throw changed();
        }
    }

    static ProblemException changed() {
        return new ProblemException(
                ProblemType.CHANGED,
                "It has changed since you read it; nothing was changed by this request. Read it again.");
    }

    /** Whoever sends it has not said what they have seen. */
    static boolean isAny(String ifMatch) {
        return named(ifMatch).contains("*");
    }

    /**
     * A proxy that compresses answers marks their tags as weak, though the tag is one of the state, not of the bytes.
     */
    private static List<String> named(String ifMatch) {
        return Arrays.stream(ifMatch.split(","))
                .map(String::strip)
                .map(named -> named.startsWith("W/") ? named.substring(2) : named)
                .toList();
    }
}

package io.outboxed.bench.app;

/** Text that pads an event's JSON to a given length. */
final class Texts {
    private static final int AROUND = "{\"aggregate\":12345,\"text\":\"\"}".length();

    private Texts() {}

    static String ofPayload(int bytes) {
        return "x".repeat(Math.max(0, bytes - AROUND));
    }
}

package io.outboxed.bench.app;

/** Text that makes an event's JSON as long as wanted. */
final class Texts {
    private static final int AROUND = "{\"aggregate\":12345,\"text\":\"\"}".length();

    private Texts() {}

    static String ofPayload(int bytes) {
        return "x".repeat(Math.max(0, bytes - AROUND));
    }
}

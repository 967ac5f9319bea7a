package io.outboxed.internal.testkit;

/** What happens to one call of a handler. */
public enum Fault {
    CRASH("the process crashed after the handler"),
    TWICE("the event was delivered twice"),
    FAILURE("the first attempt failed");

    private final String words;

    Fault(String words) {
        this.words = words;
    }

    public String words() {
        return words;
    }
}

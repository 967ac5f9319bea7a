package io.outboxed.internal.log;

/** Throws a checked exception as Kotlin does, and Java with Lombok: without declaring it. */
public final class SneakyThrow {
    private SneakyThrow() {}

    /** @return never; for {@code throw} */
    public static RuntimeException of(Exception failure) {
        SneakyThrow.<RuntimeException>raise(failure);
        throw new AssertionError(failure);
    }

    @SuppressWarnings("unchecked")
    private static <T extends Exception> void raise(Exception failure) throws T {
        throw (T) failure;
    }
}

package io.outboxed.internal.config;

/** Whether the server or the application has the API of an optional part. */
public final class OptionalApi {

    private OptionalApi() {}

    /** @param className one of the API's classes */
    public static boolean isPresent(String className) {
        try {
            Class.forName(className, false, OptionalApi.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException | LinkageError e) {
            return false;
        }
    }
}

package io.outboxed.servers;

import java.util.ArrayDeque;
import java.util.Deque;

/** What has to be ended together with this JVM: one shutdown hook, the youngest first. */
final class Children {
    private static final Deque<AutoCloseable> OPEN = new ArrayDeque<>();
    private static boolean hooked;
    private static volatile boolean ending;

    private Children() {}

    static synchronized void endAtExit(AutoCloseable child) {
        OPEN.push(child);
        if (!hooked) {
            hooked = true;
            Runtime.getRuntime().addShutdownHook(new Thread(Children::endAll, "end child processes"));
        }
    }

    static synchronized void forget(AutoCloseable child) {
        OPEN.remove(child);
    }

    /** True once this JVM is on its way out: a server that ends now has been told to. */
    static boolean ending() {
        return ending;
    }

    private static synchronized AutoCloseable youngest() {
        return OPEN.poll();
    }

    private static void endAll() {
        ending = true;
        for (AutoCloseable child = youngest(); child != null; child = youngest()) {
            try {
                child.close();
            } catch (Exception e) {
                System.err.println("Ending a child process failed: " + e);
            }
        }
    }
}

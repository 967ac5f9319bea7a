package io.outboxed.servers.process;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.LockSupport;

/** What has to be ended together with this JVM: one shutdown hook, the youngest first. */
public final class Children {
    private static final Deque<AutoCloseable> OPEN = new ArrayDeque<>();
    private static final Thread HOOK = new Thread(Children::endAll, "end child processes");
    private static boolean hooked;
    private static volatile boolean ending;

    private Children() {}

    public static synchronized void endAtExit(AutoCloseable child) {
        OPEN.push(child);
        endProcessesAtExit();
    }

    /** To be called before a process is started: its owner becomes a child only afterwards. */
    static synchronized void endProcessesAtExit() {
        if (!hooked) {
            hooked = true;
            Runtime.getRuntime().addShutdownHook(HOOK);
        }
    }

    /**
     * To be called by the code that ends a child. Does not return while this JVM is shutting down: the hook ends the
     * child then.
     */
    public static void forget(AutoCloseable child) {
        leaveToHook();
        synchronized (Children.class) {
            OPEN.removeIf(open -> open == child);
        }
    }

    /** Otherwise a thread that ends a child itself would be cut off when the hook has nothing left to wait for. */
    public static void leaveToHook() {
        while (ending && Thread.currentThread() != HOOK) {
            LockSupport.park();
        }
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
        ServerProcess.killAll();
    }
}

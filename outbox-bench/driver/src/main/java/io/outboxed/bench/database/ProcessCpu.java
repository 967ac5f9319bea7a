package io.outboxed.bench.database;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** CPU time of processes as Linux counts it, in hundredths of a second. */
final class ProcessCpu {
    private static final double TICKS_PER_SECOND = 100;
    /** Four neighbours: user, system, and both of the ended children. */
    private static final int USER = 11;

    private static final int ENDED_CHILDREN_SYSTEM = 14;

    private ProcessCpu() {}

    /** Of the process, of those that it has forked and that live, and of those that have ended; 0 if there is none. */
    static double seconds(long pid) {
        if (pid == 0) {
            return 0;
        }
        long ticks = ticks(pid);
        ticks += ProcessHandle.of(pid).stream()
                .flatMap(ProcessHandle::descendants)
                .mapToLong(child -> ticks(child.pid()))
                .sum();
        return ticks / TICKS_PER_SECOND;
    }

    private static long ticks(long pid) {
        try {
            String line = Files.readString(Path.of("/proc/" + pid + "/stat"));
            // the name, in parentheses, may hold spaces
            String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ");
            long ticks = 0;
            for (int field = USER; field <= ENDED_CHILDREN_SYSTEM; field++) {
                ticks += Long.parseLong(fields[field]);
            }
            return ticks;
        } catch (IOException e) {
            // it has ended, possibly while it was read
            return 0;
        }
    }
}

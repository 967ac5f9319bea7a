package io.outboxed.bench.database;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** CPU time of processes as counted by Linux, in hundredths of a second. */
final class ProcessCpu {
    private static final double TICKS_PER_SECOND = 100;
    /** The first of four consecutive fields: user and system time of the process, then of its ended children. */
    private static final int USER = 11;

    private static final int SYSTEM = 12;
    private static final int ENDED_CHILDREN_SYSTEM = 14;

    private ProcessCpu() {}

    /** Without its child processes: the driver's are the servers and the database. */
    static double alone(long pid) {
        return ticks(pid, SYSTEM) / TICKS_PER_SECOND;
    }

    /** Of the process, its live child processes, and those that have ended; 0 if there is none. */
    static double withForked(long pid) {
        if (pid == 0) {
            return 0;
        }
        long ticks = ticks(pid, ENDED_CHILDREN_SYSTEM);
        ticks += ProcessHandle.of(pid).stream()
                .flatMap(ProcessHandle::descendants)
                .mapToLong(child -> ticks(child.pid(), ENDED_CHILDREN_SYSTEM))
                .sum();
        return ticks / TICKS_PER_SECOND;
    }

    private static long ticks(long pid, int last) {
        try {
            String line = Files.readString(Path.of("/proc/" + pid + "/stat"));
            // the name, in parentheses, may contain spaces
            String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ");
            long ticks = 0;
            for (int field = USER; field <= last; field++) {
                ticks += Long.parseLong(fields[field]);
            }
            return ticks;
        } catch (IOException e) {
            // the process has ended, possibly while its file was read
            return 0;
        }
    }
}

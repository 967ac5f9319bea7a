package io.outboxed.kafka;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Processor time of a process, as Linux counts it in hundredths of a second. */
final class ProcessorTime {
    private static final int USER = 11;
    private static final int ENDED_CHILDREN_SYSTEM = 14;
    private static final double MICROS_PER_TICK = 10_000;

    private ProcessorTime() {}

    /** With its child processes, unless it is this process: 0 if there is none with this id. */
    static double micros(long pid) {
        if (pid == 0) {
            return 0;
        }
        boolean alone = pid == ProcessHandle.current().pid();
        double micros = micros(pid, alone ? USER + 1 : ENDED_CHILDREN_SYSTEM);
        if (!alone) {
            micros += ProcessHandle.of(pid).stream()
                    .flatMap(ProcessHandle::descendants)
                    .mapToDouble(child -> micros(child.pid(), ENDED_CHILDREN_SYSTEM))
                    .sum();
        }
        return micros;
    }

    private static double micros(long pid, int lastField) {
        try {
            String line = Files.readString(Path.of("/proc/" + pid + "/stat"));
            // the name, in parentheses, may contain spaces
            String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ");
            long ticks = 0;
            for (int field = USER; field <= lastField; field++) {
                ticks += Long.parseLong(fields[field]);
            }
            return ticks * MICROS_PER_TICK;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

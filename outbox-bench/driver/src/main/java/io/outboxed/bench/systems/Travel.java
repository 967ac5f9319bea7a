package io.outboxed.bench.systems;

/** The times of one paced event: due, committed and handled, in nanoseconds of the machine's clock; 0 = never. */
public record Travel(long due, long committed, long handled) {

    static Travel of(String line) {
        String[] times = line.split(" ");
        return new Travel(Long.parseLong(times[0]), Long.parseLong(times[1]), Long.parseLong(times[2]));
    }

    Travel handledAt(long nanos) {
        return new Travel(due, committed, nanos);
    }
}

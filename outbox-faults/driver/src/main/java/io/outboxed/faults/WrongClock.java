package io.outboxed.faults;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** A wall clock that is an hour ahead or behind, for one process: libfaketime, where it is installed. */
final class WrongClock {
    private static final Duration HOUR = Duration.ofHours(1);

    private WrongClock() {}

    /** The library that {@code faults.faketime} names, or that of a Linux distribution. */
    static Optional<Path> library() {
        String named = System.getProperty("faults.faketime", "");
        return (named.isEmpty()
                        ? Stream.of(
                                "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1",
                                "/usr/lib64/faketime/libfaketimeMT.so.1",
                                "/usr/lib/faketime/libfaketimeMT.so.1")
                        : Stream.of(named))
                .map(Path::of)
                .filter(Files::exists)
                .findFirst();
    }

    /** @return negative if it is behind */
    static Duration off(long seed) {
        return seed % 2 == 0 ? HOUR : HOUR.negated();
    }

    /**
     * The environment of the process. Its monotonic clock is left alone: no clock of that kind can be set. Without the
     * last setting, every wait with a limit on that clock would end at once.
     */
    static Map<String, String> environment(Path library, Duration off) {
        return Map.of(
                "LD_PRELOAD", library.toString(),
                "FAKETIME", (off.isNegative() ? "" : "+") + off.toSeconds(),
                "FAKETIME_DONT_FAKE_MONOTONIC", "1",
                "FAKETIME_FORCE_MONOTONIC_FIX", "0",
                "NO_FAKE_STAT", "1");
    }
}

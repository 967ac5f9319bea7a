package io.outboxed.internal.relay;

import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Many worlds, one for each seed, on several threads. A world depends on nothing but its seed. */
final class Simulation {
    private static final Duration PROGRESS = Duration.ofSeconds(5);
    /** A strong reference, or the level would be lost with the collected logger. */
    private static final Logger LOG = Logger.getLogger("io.outboxed");

    private final Theme theme;
    private final int threads;
    private final int mostFailures;
    private final PrintStream out;
    private final ConcurrentSkipListMap<Long, String> failures = new ConcurrentSkipListMap<>();

    /**
     * @param theme what all worlds are about; null: whatever their seeds draw
     * @param mostFailures starts no further world after this many
     */
    Simulation(Theme theme, int threads, int mostFailures, PrintStream out) {
        this.theme = theme;
        this.threads = threads;
        this.mostFailures = mostFailures;
        this.out = out;
    }

    /** @return the first violation of each seed that fails */
    ConcurrentSkipListMap<Long, String> run(long first, long count) throws InterruptedException {
        Level level = LOG.getLevel();
        LOG.setLevel(Level.OFF);
        AtomicLong next = new AtomicLong(first);
        AtomicLong done = new AtomicLong();
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        long startedAt = System.nanoTime();
        for (int i = 0; i < threads; i++) {
            executor.execute(() -> {
                for (long seed = next.getAndIncrement();
                        seed < first + count && failures.size() < mostFailures;
                        seed = next.getAndIncrement()) {
                    run(seed);
                    done.incrementAndGet();
                }
            });
        }
        executor.shutdown();
        while (!executor.awaitTermination(PROGRESS.toSeconds(), TimeUnit.SECONDS)) {
            report(done.get(), count, startedAt);
        }
        report(done.get(), count, startedAt);
        LOG.setLevel(level);
        return failures;
    }

    private void run(long seed) {
        String violation = violation(seed);
        if (violation != null) {
            failures.put(seed, violation);
            out.println("seed " + seed + ": " + violation);
        }
    }

    /** @return the first one; null: none */
    String violation(long seed) {
        try {
            SimulatedWorld world = new SimulatedWorld(seed, theme);
            List<String> violations = new SimulatedRun(world).run();
            return violations.isEmpty() ? null : violations.get(0) + "; " + world.plan;
        } catch (RuntimeException | Error e) {
            StackTraceElement[] at = e.getStackTrace();
            return "broken: " + e + (at.length == 0 ? "" : " at " + at[0]);
        }
    }

    private void report(long done, long count, long startedAt) {
        double seconds = (System.nanoTime() - startedAt) / 1e9;
        out.printf("%d of %d seeds, %.0f a second, %d failed%n", done, count, done / seconds, failures.size());
    }

    /** {@code <first seed> <count> [threads] [most failures] [theme]} */
    public static void main(String[] arguments) throws InterruptedException {
        int threads = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 1;
        int most = arguments.length > 3 ? Integer.parseInt(arguments[3]) : 20;
        Theme theme = arguments.length > 4 ? Theme.valueOf(arguments[4]) : null;
        new Simulation(theme, threads, most, System.out)
                .run(Long.parseLong(arguments[0]), Long.parseLong(arguments[1]));
    }
}

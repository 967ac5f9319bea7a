package io.outboxed.servers.process;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The process of a server program: starts it, waits until it is ready, ends it. */
public final class ServerProcess {
    private static final Duration READY_WITHIN = Duration.ofSeconds(180);
    private static final Duration END_WITHIN = Duration.ofSeconds(60);
    private static final Duration FROZEN_WITHIN = Duration.ofSeconds(10);
    private static final Duration STOPPED_WITHIN = Duration.ofSeconds(1);
    private static final Duration DUMPED_WITHIN = Duration.ofSeconds(3);
    private static final int LAST_LINES = 30;

    private static final Set<Process> ALIVE = ConcurrentHashMap.newKeySet();

    private final ServerProgram program;
    private final long loggedBefore;
    private final Process process;

    private ServerProcess(ServerProgram program, Path input) {
        this.program = program;
        this.loggedBefore = program.log().toFile().length();
        this.process = spawn(program, input);
    }

    public static ServerProcess start(ServerProgram program) {
        return new ServerProcess(program, null);
    }

    /** Runs the program and waits for its end, for example to initialise a data directory. */
    public static void run(ServerProgram program, Path input) {
        ServerProcess started = new ServerProcess(program, input);
        if (!started.endsWithin(READY_WITHIN)) {
            started.kill();
            throw program.failed("did not end within " + READY_WITHIN.toSeconds() + " s", LAST_LINES);
        }
        if (started.process.exitValue() != 0) {
            throw program.failed("ended with exit code " + started.process.exitValue(), LAST_LINES);
        }
    }

    /** Returns once the log of this start contains the text; fails if the program ends before, or takes too long. */
    public ServerProcess awaitLogged(String text) {
        return await(
                () -> hasLogged(text), READY_WITHIN, () -> "was not ready within " + READY_WITHIN.toSeconds() + " s");
    }

    public ServerProcess await(BooleanSupplier condition, Duration patience, Supplier<String> problem) {
        long deadline = System.nanoTime() + patience.toNanos();
        while (!condition.getAsBoolean()) {
            if (endsWithin(Duration.ofMillis(20))) {
                throw program.failed("ended with exit code " + process.exitValue(), LAST_LINES);
            }
            if (System.nanoTime() > deadline) {
                kill();
                throw program.failed(problem.get(), LAST_LINES);
            }
        }
        return this;
    }

    private boolean hasLogged(String text) {
        return logged().contains(text);
    }

    /** What this start of the program has written so far. */
    public String logged() {
        try {
            byte[] all = Files.readAllBytes(program.log());
            int from = (int) loggedBefore;
            return new String(all, from, all.length - from, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public int awaitEnd() {
        return process.onExit().join().exitValue();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    public long pid() {
        return process.pid();
    }

    /** SIGSTOP. Returns when no thread of it runs any more: a moment after the signal was sent. */
    public void freeze() {
        signal(process, "-STOP");
        await(() -> isFrozen(process), FROZEN_WITHIN, () -> "was not stopped by the signal");
    }

    /** SIGCONT. */
    public void thaw() {
        signal(process, "-CONT");
    }

    /** False also for a process that has ended. */
    private static boolean isFrozen(Process process) {
        try (Stream<Path> threads = Files.list(Path.of("/proc", String.valueOf(process.pid()), "task"))) {
            return threads.allMatch(thread -> state(thread) == 'T');
        } catch (IOException | UncheckedIOException ended) {
            return false;
        }
    }

    /** The name in parentheses, which comes before the state, may contain any character. */
    private static char state(Path thread) {
        try {
            String line = Files.readString(thread.resolve("stat"));
            return line.charAt(line.lastIndexOf(')') + 2);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void signal(Process process, String name) {
        try {
            new ProcessBuilder("kill", name, String.valueOf(process.pid()))
                    .start()
                    .onExit()
                    .join();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** For the end of this JVM: also kills processes that are just being started and are not registered yet. */
    static void killAll() {
        ALIVE.forEach(ServerProcess::kill);
    }

    public void kill() {
        kill(process);
    }

    /**
     * Sends SIGKILL to the process and its children: otherwise PostgreSQL's backends would keep the data directory
     * locked. Also to one that it is just starting.
     */
    private static void kill(Process process) {
        if (process.isAlive()) {
            stopForking(process);
        }
        List<ProcessHandle> forked = process.descendants().toList();
        process.destroyForcibly();
        forked.forEach(ProcessHandle::destroyForcibly);
        process.onExit().join();
        forked.forEach(child ->
                child.onExit().completeOnTimeout(child, 5, TimeUnit.SECONDS).join());
    }

    private static void stopForking(Process process) {
        signal(process, "-STOP");
        long deadline = System.nanoTime() + STOPPED_WITHIN.toNanos();
        while (process.isAlive() && !isFrozen(process) && System.nanoTime() < deadline) {
            LockSupport.parkNanos(100_000);
        }
    }

    /**
     * Asks the process to end, and kills it if it does not.
     *
     * @return false if it was killed
     */
    public boolean stop() {
        boolean ended = endsWhenAsked();
        if (!ended) {
            kill();
        }
        return ended;
    }

    /** As {@link #stop}, for a JVM: before it is killed, it writes to its log what its threads are waiting for. */
    public boolean stopJvm() {
        boolean ended = endsWhenAsked();
        if (!ended) {
            program.dumpThreads(process.toHandle());
            endsWithin(DUMPED_WITHIN);
            kill();
        }
        return ended;
    }

    private boolean endsWhenAsked() {
        if (!process.isAlive()) {
            return true;
        }
        program.askToEnd(process.toHandle());
        return endsWithin(END_WITHIN);
    }

    private static Process spawn(ServerProgram program, Path input) {
        File silence = new File("/dev/null");
        ProcessBuilder builder = new ProcessBuilder(OwnSession.of(program.command()))
                .redirectInput(Redirect.from(input == null ? silence : input.toFile()))
                .redirectErrorStream(true)
                .redirectOutput(Redirect.appendTo(program.log().toFile()));
        builder.environment().putAll(program.environment());
        Children.leaveToHook();
        Children.endProcessesAtExit();
        try {
            Process spawned = builder.start();
            ALIVE.add(spawned);
            spawned.onExit().thenRun(() -> ALIVE.remove(spawned));
            return spawned;
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot run " + program.command(), e);
        }
    }

    private boolean endsWithin(Duration patience) {
        try {
            return process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            kill();
            Thread.currentThread().interrupt();
            throw new ServerFailedException("Interrupted while waiting for " + program.name(), e);
        }
    }
}

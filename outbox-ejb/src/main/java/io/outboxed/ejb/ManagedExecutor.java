package io.outboxed.ejb;

import jakarta.enterprise.concurrent.ManagedExecutorService;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.stream.Stream;
import javax.naming.InitialContext;
import javax.naming.NamingException;

/**
 * A managed executor that may call the handlers.
 *
 * @param tasks how many tasks it is asked to run at once
 */
record ManagedExecutor(String name, Executor executor, int tasks, ExecutorProbe probe) {
    private static final String OWN = "java:app/concurrent/outbox";
    private static final String DEFAULT = "java:comp/DefaultManagedExecutorService";
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    /**
     * The executor that the application or its administrator has defined for the relay, whatever its limit, and the
     * server's default one, which has to run all workers at once; each if there is one.
     */
    static List<ManagedExecutor> find(int workers) {
        return Stream.of(lookUp(OWN, 1), lookUp(DEFAULT, workers))
                .flatMap(Optional::stream)
                .toList();
    }

    private static Optional<ManagedExecutor> lookUp(String name, int tasks) {
        try {
            Executor executor = (ManagedExecutorService) new InitialContext().lookup(name);
            return Optional.of(new ManagedExecutor(name, executor, tasks, new ExecutorProbe(tasks, PATIENCE)));
        } catch (NamingException notDefined) {
            return Optional.empty();
        }
    }

    void ask() {
        probe.ask(executor);
    }

    ExecutorProbe.Answer answer() {
        return probe.answer();
    }

    /** The second half of a sentence about an executor whose answer was not yes. */
    String defect() {
        return tasks == 1 ? "begins no task" : "does not run " + tasks + " tasks at once";
    }
}

package io.outboxed.ejb;

import jakarta.enterprise.concurrent.ManagedExecutorService;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
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
     * The executor that the application or its administrator has defined for the relay, whatever its limit; otherwise
     * the server's default one, which has to run all workers at once. Empty if there is neither.
     */
    static Optional<ManagedExecutor> find(int workers) {
        return lookUp(OWN, 1).or(() -> lookUp(DEFAULT, workers));
    }

    private static Optional<ManagedExecutor> lookUp(String name, int tasks) {
        try {
            ManagedExecutorService executor = (ManagedExecutorService) new InitialContext().lookup(name);
            ExecutorProbe probe = new ExecutorProbe(tasks, PATIENCE);
            probe.ask(executor);
            return Optional.of(new ManagedExecutor(name, executor, tasks, probe));
        } catch (NamingException notDefined) {
            return Optional.empty();
        }
    }

    ExecutorProbe.Answer answer() {
        return probe.answer();
    }

    /** The second half of a sentence about an executor whose answer was not yes. */
    String defect() {
        return tasks == 1 ? "begins no task" : "does not run " + tasks + " tasks at once";
    }
}

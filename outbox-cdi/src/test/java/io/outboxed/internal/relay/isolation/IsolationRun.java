package io.outboxed.internal.relay.isolation;

import io.outboxed.internal.relay.SilentLog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * No test but a measurement, which prints tables: how handlers of one type affect each other, on real relays and a real
 * database. {@code mvn -pl outbox-cdi -am test -Dtest=IsolationRun -Disolation.database=mysql -Disolation.minutes=10
 * -Dsurefire.failIfNoSpecifiedTests=false}; the other database is {@code postgresql}. What came out is in
 * docs/guarantees.md.
 */
@ExtendWith(SilentLog.class)
class IsolationRun {
    private static final int RATE = Integer.getInteger("isolation.rate", 50);
    private static final int SECONDS = Integer.getInteger("isolation.seconds", 60);
    private static final double MINUTES = Double.parseDouble(System.getProperty("isolation.minutes", "10"));

    @Test
    void five_handlers_of_one_type() throws Exception {
        CallLog log = new CallLog();
        try (IsolationDatabase database = IsolationDatabase.start();
                PacedLoad load = new PacedLoad(database, log, RATE)) {
            FiveHandlers run = new FiveHandlers(database, log, load, SECONDS);
            run.runAlone();
            run.runBesideTheOthers();
            new FiveHandlersFigures(run, database).figures().check();
        }
    }

    @Test
    void a_burst_for_a_slow_handler_of_another_type() throws Exception {
        CallLog log = new CallLog();
        try (IsolationDatabase database = IsolationDatabase.start();
                PacedLoad load = new PacedLoad(database, log, RATE)) {
            SlowBurst run = new SlowBurst(database, log, load, SECONDS);
            run.run();
            run.figures().check();
        }
    }

    @Test
    void a_downstream_that_is_dead_for_minutes() throws Exception {
        CallLog log = new CallLog();
        try (IsolationDatabase database = IsolationDatabase.start();
                PacedLoad load = new PacedLoad(database, log, 20)) {
            DeadDownstream run = new DeadDownstream(database, log, load, (int) (MINUTES * 60));
            run.run();
            new DeadDownstreamFigures(run, database).figures().check();
        }
    }
}

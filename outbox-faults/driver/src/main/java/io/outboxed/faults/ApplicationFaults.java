package io.outboxed.faults;

import io.outboxed.faults.history.Outages;
import io.outboxed.faults.history.Outages.Outage;
import java.time.Duration;

/** Faults that a node's application makes itself. It answers how often they happened; only then they are counted. */
final class ApplicationFaults {
    /** For a connection that another call may hold: the longest of the servers. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(60);

    private static final int CALLS = 3;

    /** Of 100 connections. The rest may be in use; fewer were not all that there were. */
    private static final int MOST_OF_A_POOL = 60;

    private ApplicationFaults() {}

    static boolean contains(Fault fault) {
        return switch (fault) {
            case EXHAUST_POOL, HANGING_HANDLERS, STUCK_HANDLER, OUT_OF_MEMORY -> true;
            case REPLAY, BULK_REPLAY, BULK_DISCARD, BULK_RETRY -> true;
            default -> false;
        };
    }

    /** @return the node's answer, null if it gave none */
    static String ask(Fault fault, Node node, long millis) {
        return switch (fault) {
            case EXHAUST_POOL ->
                disturbed(node, Outages.POOL_EXHAUSTED, "connections?millis=" + millis, patience(fault, millis));
            case HANGING_HANDLERS -> node.post("hang?calls=" + CALLS + "&millis=" + millis);
            case STUCK_HANDLER -> node.post("stick?calls=1");
            // each time, the JVM first stands still to look for memory
            case OUT_OF_MEMORY -> disturbed(node, "out of memory", "memory?calls=" + CALLS, patience(fault, millis));
            case REPLAY -> node.post("replay");
            case BULK_REPLAY -> node.post("replay-in-bulk");
            case BULK_DISCARD -> node.post("discard-in-bulk");
            case BULK_RETRY -> node.post("retry-in-bulk");
            default -> throw new IllegalStateException(fault.name());
        };
    }

    /** How long the node has for its answer. */
    static Duration patience(Fault fault, long millis) {
        return fault == Fault.EXHAUST_POOL ? Node.PATIENCE.plusMillis(millis).plus(LONGEST_WAIT) : Node.PATIENCE;
    }

    /** What an operator does that found nothing was none; nor is a fault known to have happened without an answer. */
    static boolean confirms(Fault fault, String answer) {
        return answer != null && answer.matches("\\d{1,9}") && Integer.parseInt(answer) >= least(fault);
    }

    private static int least(Fault fault) {
        return switch (fault) {
            case HANGING_HANDLERS, OUT_OF_MEMORY -> CALLS;
            case EXHAUST_POOL -> MOST_OF_A_POOL;
            default -> 1;
        };
    }

    private static String disturbed(Node node, String why, String request, Duration patience) {
        Outage outage = node.disturb(why);
        String answer = node.post(request, patience);
        outage.end();
        return answer;
    }
}

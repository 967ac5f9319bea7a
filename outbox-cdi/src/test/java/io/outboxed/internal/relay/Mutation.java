package io.outboxed.internal.relay;

import java.util.List;

/**
 * A rule of the relay taken away again. The simulation must notice each of them: {@code mvn -Pmutations}.
 *
 * @param file in this package
 * @param find occurs exactly once in it
 * @param theme of the worlds that are to find it; null: any
 */
record Mutation(String name, String file, String find, String replacement, Theme theme) {

    static final List<Mutation> ALL = List.of(
            new Mutation(
                    "a call begins although the lease has lapsed",
                    "Worker",
                    "return leaseClock.isValid(call.lease()) && !call.run().cancelled;",
                    "return !call.run().cancelled;",
                    null),
            new Mutation(
                    "a call of a lost lease begins",
                    "Worker",
                    "return leaseClock.isValid(call.lease()) && !call.run().cancelled;",
                    "return true;",
                    null),
            new Mutation(
                    "a lane starts again while a call of a lost lease still runs in it",
                    "Lanes",
                    "if (!orphans.containsKey(lane.key)) {",
                    "if (true) {",
                    null),
            new Mutation(
                    "late calls stay in the share of their handler",
                    "CallQueue",
                    "if (late.add(call)) {",
                    "if (false) {",
                    Theme.HUNG_CALLS_STOP_THEIR_HANDLER));
}

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
                    "what committed late is overtaken where a backlog is read on",
                    "HeldShard",
                    "return readOnAbove == NO_MORE || head.seq() <= readOnUpTo;",
                    "return true;",
                    Theme.SUCCESSOR_OVERTAKES_LATE_COMMIT),
            new Mutation(
                    "a retry whose count is stored in a later turn is forgotten",
                    "Starter",
                    "        List<Run> ready = new ArrayList<>();\n        List<Run> runs = begin(now);",
                    "        List<Run> ready = new ArrayList<>();\n        counted.clear();\n        List<Run> runs = begin(now);",
                    Theme.COUNT_STORED_LATE),
            new Mutation(
                    "an end that is not known is no failure, however often",
                    "Results",
                    "if (times >= UNCLEAR_ENDS) {",
                    "if (times < 0) {",
                    Theme.COMMIT_REFUSED_EACH_TIME),
            new Mutation(
                    "new events come before those that wait for the first handler of their type",
                    "Starter",
                    "        runs.removeIf(this::waitsForAdoption);\n",
                    "",
                    Theme.FIRST_HANDLER_OF_A_TYPE),
            new Mutation(
                    "the mark follows before late commits are visible",
                    "HeldShard",
                    "if (now - movedAt > commitLag) {",
                    "if (now - movedAt > commitLag / 30) {",
                    Theme.COMMIT_LATER_THAN_THE_MARK),
            new Mutation(
                    "there is no mark that lags behind",
                    "HeldShard",
                    "return new Window(lease.shard(), mark, inMemory + page);",
                    "return new Window(lease.shard(), highest, inMemory + page);",
                    null),
            new Mutation(
                    "a beat is held to be as old as the question",
                    "Membership",
                    "new Seen(node.beat(), answeredAt)",
                    "new Seen(node.beat(), askedAt)",
                    Theme.HEALTHY_NODE_DECLARED_DEAD),
            new Mutation(
                    "a dead node's messages are nobody's suspects",
                    "Suspects",
                    "return left > 0 && !counted.contains(head.id());",
                    "return false;",
                    Theme.SUCCESSES_OF_A_WOKEN_ZOMBIE),
            new Mutation(
                    "late calls stay in the share of their handler",
                    "CallQueue",
                    "if (late.add(call)) {",
                    "if (late.add(call) && share < 0) {",
                    Theme.HUNG_CALLS_STOP_THEIR_HANDLER),
            new Mutation(
                    "a shard that is to leave starts nothing until it has left",
                    "HeldShard",
                    "boolean tooLong = now - leavingSince >= LONGEST_LEAVING;",
                    "boolean tooLong = false;",
                    Theme.HUNG_CALL_IN_A_LEAVING_SHARD),
            new Mutation(
                    "order ends at the handler",
                    "Plan",
                    "if (run.lane.blocked.contains(run.group(handler))) {",
                    "if (run.lane.blocked.contains(handler)) {",
                    Theme.ORDER_OF_A_GROUP),
            new Mutation(
                    "a lane starts again while a call of a lost lease still runs in it",
                    "Lanes",
                    "if (!orphans.containsKey(lane.key) && !resting.containsKey(lane.key)) {",
                    "if (!resting.containsKey(lane.key)) {",
                    null),
            new Mutation(
                    "a try is not counted before it is made",
                    "Starter",
                    "} else if (run.waiting != null && !run.probe) {",
                    "} else if (run.waiting != null && !run.probe && run.open.isEmpty()) {",
                    null),
            new Mutation(
                    "successes of one lane go to any settler",
                    "Successes",
                    "call.lease().shard() % queues.size()",
                    "(int) (call.delivery().head().seq() % queues.size())",
                    Theme.SUCCESSES_OF_A_WOKEN_ZOMBIE));
}

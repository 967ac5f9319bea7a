package io.outboxed.internal.relay;

import io.outboxed.guards.Edit;
import java.nio.file.Path;
import java.util.List;

/**
 * A rule of the relay or of its store that is taken away. The simulation must notice each of them:
 * {@code mvn -Pmutations}.
 *
 * @param theme of the worlds that must notice it; null: any
 */
record Mutation(String name, Theme theme, List<Edit> edits) {

    static final List<Mutation> ALL = List.of(
            new Mutation(
                    "a late commit is overtaken while a backlog is read on",
                    Theme.SUCCESSOR_OVERTAKES_LATE_COMMIT,
                    loop("ShardCursor", "return readOnAbove == NO_MORE || head.seq() <= readOnUpTo;", "return true;")),
            new Mutation(
                    "a retry whose count is stored in a later turn is forgotten",
                    Theme.COUNT_STORED_LATE,
                    loop(
                            "RelayLoop",
                            "        boolean reached = state.writes().flush();\n        long losses",
                            "        runner.startsTurn = true;\n        boolean reached = state.writes().flush();\n        runner.startsTurn = false;\n        long losses"),
                    loop(
                            "TurnRunner",
                            "            if (state.lanes().isCurrent(turn)) {\n                next(turn);",
                            "            if (state.lanes().isCurrent(turn) && !startsTurn) {\n                next(turn);"),
                    loop(
                            "TurnRunner",
                            "    void countRetry(Turn turn) {",
                            "    boolean startsTurn;\n\n    void countRetry(Turn turn) {")),
            new Mutation(
                    "an unknown outcome never counts as a failure",
                    Theme.COMMIT_REFUSED_EACH_TIME,
                    loop(
                            "OutcomeProcessor",
                            "if (unknownOutcomes.tolerate(turn.head.id(), call.handler())) {",
                            "if (unknownOutcomes.tolerate(turn.head.id(), call.handler()) || now != 0) {")),
            new Mutation(
                    "new events come before those that wait for the first handler of their type",
                    Theme.FIRST_HANDLER_OF_A_TYPE,
                    loop("Dispatcher", "        turns.removeIf(turn -> waitsForAdoption(turn, now));\n", "")),
            new Mutation(
                    "the mark advances before late commits are visible",
                    Theme.COMMIT_LATER_THAN_THE_MARK,
                    loop("ShardCursor", "now - movedAt > commitLag;", "now - movedAt > commitLag / 30;")),
            new Mutation(
                    "the mark does not lag behind",
                    null,
                    loop(
                            "ShardCursor",
                            "return new ReadWindow(lease.shard(), mark, inMemory + page);",
                            "return new ReadWindow(lease.shard(), highest, inMemory + page);")),
            new Mutation(
                    "a node is declared dead while its lease may be valid",
                    Theme.HEALTHY_NODE_DECLARED_DEAD,
                    node("FailureDetector", "silence() > lease;", "silence() > lease / 4;")),
            new Mutation(
                    "the messages of a dead node are not suspects",
                    Theme.SUCCESS_OF_A_SPLIT_ROW,
                    relay("CrashSuspects", "return (left > 0 || remains(head)) && !isCounted(head);", "return false;")),
            new Mutation(
                    "late calls still count towards the share of their handler",
                    Theme.HUNG_CALLS_STOP_THEIR_HANDLER,
                    workers("CallQueue", "if (late.add(call)) {", "if (late.add(call) && share < 0) {")),
            new Mutation(
                    "pages are read behind a call that hangs",
                    Theme.PAGES_BEHIND_A_HUNG_CALL,
                    loop(
                            "Lanes",
                            "return !orphans.anyInLane(key) && (lane == null || !lane.hasLateCall());",
                            "return true;")),
            new Mutation(
                    "a shard that is to leave starts nothing until it has left",
                    Theme.HUNG_CALL_IN_A_LEAVING_SHARD,
                    loop(
                            "ShardCursor",
                            "boolean tooLong = now - leavingSince >= LONGEST_LEAVING;",
                            "boolean tooLong = false;")),
            new Mutation(
                    "a shard is handed over while a call runs in it",
                    null,
                    loop(
                            "ShardOwnership",
                            "return shard.suspects.anyOpen() || isRunning(shard);",
                            "return shard.suspects.anyOpen();")),
            new Mutation(
                    "order is kept for each handler and not for each group",
                    Theme.ORDER_OF_A_GROUP,
                    loop(
                            "HandlerSelection",
                            "if (turn.lane.waitingGroups.contains(turn.group(handler))) {",
                            "if (turn.lane.waitingGroups.contains(handler)) {")),
            new Mutation(
                    "a lane starts again while a call of a lost lease still runs in it",
                    Theme.CALL_OF_A_LOST_LEASE,
                    loop(
                            "Lanes",
                            "if (!orphans.anyInLane(lane.key) && !resting.containsKey(lane.key) && !isSuspended.test(lane)) {",
                            "if (!resting.containsKey(lane.key) && !isSuspended.test(lane)) {")),
            new Mutation(
                    "a try is not counted before it is made",
                    Theme.TRY_OF_A_DEAD_NODE,
                    loop(
                            "Dispatcher",
                            "if (turn.waiting != null) {",
                            "if (turn.waiting != null && turn.remaining.isEmpty()) {")),
            new Mutation(
                    "successes of one lane go to any acknowledger",
                    Theme.SUCCESSES_OF_A_WOKEN_ZOMBIE,
                    workers(
                            "AckQueues",
                            "call.lease().shard() % queues.size()",
                            "(int) (call.delivery().head().seq() % queues.size())")),
            new Mutation(
                    "tries are made before they are due",
                    Theme.TRIES_BEFORE_THEIR_TIME,
                    memory(
                            "MemoryReading",
                            "long now = micros.getAsLong();\n        LaneRow laneRow",
                            "long now = Long.MAX_VALUE;\n        LaneRow laneRow"),
                    loop("TurnRunner", "finish(turn, !waits);", "finish(turn, true);")),
            new Mutation(
                    "all deliveries of a due message are due",
                    Theme.ORDER_OF_A_GROUP,
                    memory(
                            "MemoryReading",
                            "row.state == DeliveryState.WAITING && row.dueAt <= now",
                            "row.state == DeliveryState.WAITING")),
            new Mutation(
                    "a running relay does not see a replay",
                    Theme.REPLAY_IS_NOT_SEEN,
                    memory(
                            "MemoryDeadLetters",
                            "            tables.insertAgain(letter.row(), handler);\n",
                            "            tables.insertAgain(letter.row(), handler);\n            MemoryTables.Row again = tables.messages.last();\n            again.status = io.outboxed.admin.StoredEvent.MessageState.SPLIT;\n            tables.deliveries.put(key, new DeliveryRow(again.first, letter.group(), DeliveryState.WAITING, now()));\n            tables.refresh(head.lane(), head.shard(), letter.group());\n"),
                    loop(
                            "DueReader",
                            "store.reads().waitingShards(state.shards().numbers())",
                            "store.reads().waitingShards(state.shards().waiting())")),
            new Mutation(
                    "a replay becomes a waiting delivery and is overtaken",
                    Theme.REPLAY_IS_NOT_SEEN,
                    memory(
                            "MemoryDeadLetters",
                            "            tables.insertAgain(letter.row(), handler);\n",
                            "            tables.insertAgain(letter.row(), handler);\n            MemoryTables.Row again = tables.messages.last();\n            again.status = io.outboxed.admin.StoredEvent.MessageState.SPLIT;\n            tables.deliveries.put(key, new DeliveryRow(again.first, letter.group(), DeliveryState.WAITING, now()));\n            tables.refresh(head.lane(), head.shard(), letter.group());\n")),
            new Mutation(
                    "a running relay does not see the replay of a blocked dead letter",
                    Theme.REPLAY_OF_A_BLOCKED_AGGREGATE,
                    memory(
                            "MemoryReading",
                            "        tables.lanes.values().stream()\n                .map(row -> row.shard)",
                            "        tables.lanes.values().stream()\n                .filter(row -> row.resumeAt != null)\n                .map(row -> row.shard)"),
                    loop(
                            "DueReader",
                            "store.reads().waitingShards(state.shards().numbers())",
                            "store.reads().waitingShards(state.shards().waiting())")),
            new Mutation(
                    "a message and its replay are told apart by nothing but their id",
                    Theme.REPLAY_IS_NOT_SEEN,
                    relay(
                            "memory/LoadedMessages",
                            "containsKey(head.key())",
                            "containsKey(new MessageKey(0, head.id()))"),
                    relay(
                            "memory/LoadedMessages",
                            "putIfAbsent(head.key(), origin)",
                            "putIfAbsent(new MessageKey(0, head.id()), origin)"),
                    relay("memory/LoadedMessages", "remove(head.key())", "remove(new MessageKey(0, head.id()))")),
            new Mutation(
                    "late successes acknowledge what a successor has taken over",
                    Theme.SUCCESS_OF_A_SPLIT_ROW,
                    memory("MemoryAcks", "} else if (version == head.version()) {", "} else {")),
            new Mutation(
                    "a success of a whole row acknowledges a row that has been split since",
                    Theme.SUCCESS_OF_A_SPLIT_ROW,
                    memory("MemoryAcks", "if (each.ackMode() != AckMode.DELETE_DELIVERY) {", "if (version < 0) {")),
            new Mutation(
                    "the version of what follows a suspect is not raised",
                    Theme.SUCCESS_OF_A_SPLIT_ROW,
                    memory("MemoryFencedWrites", "first ? FencedWriter.BUMPED : 0", "0"),
                    loop("SuspectStarts", "turn.lane.raiseVersionsBehind(turn.head);", "")),
            // No mutation of successes behind a row that another transaction holds: in the store in memory none holds a
            // row whose handler is outside. TakeoverContract and AcknowledgerTest test them.
            new Mutation(
                    "long lanes and retries share their room in memory",
                    Theme.LONG_LANE_BEHIND_RETRIES,
                    loop(
                            "LongLaneReader",
                            "room - state.lanes().count(LoadedMessages.Source.LONG_LANE)",
                            "room - state.lanes().count(LoadedMessages.Source.LONG_LANE) - state.lanes().count(LoadedMessages.Source.WAIT)")),
            new Mutation(
                    "a message that this node has counted itself is a suspect again",
                    Theme.SUSPECTS_AFTER_A_CRASH,
                    relay("CrashSuspects", "counted.add(head.key());", ""),
                    relay("CrashSuspects", "startsBefore.put(head.key(), head.starts());", "")),
            // No mutation of suspects that are forgotten after an error, a hand-over, a clean stop or a lost answer:
            // the consequences need a second death within the first rows, which no world in thousands has.
            // SuspectsTest, SuspectHandOverTest and MembershipTest test them. Nor of a suspect that hangs and holds up
            // others like it: it would have to be running at two deaths and then hang. SuspectLimitTest tests that.
            // Nor of a resume that is forgotten while a pause is written: in no world of thousands is one held until
            // then. LockedRowWritesTest tests that. FailureDetectorTest tests slow answers and outages: each of them
            // adds a third of a lease at most to the silence of a node.
            new Mutation(
                    "a node whose machine was suspended trusts its lease",
                    Theme.SUSPENDED_MACHINE,
                    relay(
                            "LeaseClock",
                            "\n                && (wallMillis.getAsLong() - beat.sentAtMillis()) * 1_000_000 < trusted",
                            "")),
            new Mutation(
                    "a node of an old version that starts late counts as new",
                    Theme.OLD_VERSION_STARTS_LATE,
                    memory(
                            "MemoryRegistrations",
                            "return new Versions(tables.registryVersion, deployment);",
                            "return new Versions(tables.registryVersion, tables.registryVersion);")),
            new Mutation(
                    "a failure is forgotten when the next handler of its message is not begun",
                    Theme.CALLED_WHILE_PAUSED,
                    loop(
                            "TurnRunner",
                            "        if (turn.failed) {",
                            "        if (turn.failed && turn.head == null) {")),
            new Mutation(
                    "lanes that were paused sleep on after a take-over",
                    Theme.PAUSE_OUTLIVES_ITS_RESUME,
                    loop("ShardOwnership", "        pauses.wake(lease);\n", "")),
            new Mutation(
                    "a wait is noted in a lane that was dropped",
                    Theme.FIRST_HANDLER_OF_A_TYPE,
                    loop("LoopState", "Lane present = lanes.get(lane.key);", "Lane present = lane;")),
            new Mutation(
                    "one aggregate is probed over and over",
                    Theme.PROBED_OVER_AND_OVER,
                    main("relay/failure", "ProbeTurns", "waiting.isEmpty()", "now != 0")),
            new Mutation(
                    "only the first row of a batch is claimed",
                    Theme.BATCH_OF_A_ZOMBIE,
                    memory(
                            "MemoryTransaction",
                            "        Row row = tables.row(head);\n        if (row != null && row.lockedBy",
                            "        if (!claimed.isEmpty()) {\n            return;\n        }\n        Row row = tables.row(head);\n        if (row != null && row.lockedBy"),
                    memory("MemoryTransaction", "if (!isClaimed(head)) {", "if (claimed.isEmpty()) {")),
            new Mutation(
                    "suspects are called in batches",
                    Theme.BATCH_OF_A_ZOMBIE,
                    loop(
                            "Dispatcher",
                            "if (suspects.contains(head, turn.lane.openedAfter)",
                            "if (suspects.deaths(head) > 1"),
                    loop("HandlerSelection", "!wholeMessage || turn.suspect", "!wholeMessage"),
                    loop("Dispatcher", "if (waiting == null && !turn.suspect) {", "if (waiting == null) {")),
            new Mutation(
                    "what follows a failure in a batch is called",
                    Theme.BATCH_OF_A_ZOMBIE,
                    workers("BatchCalls", "goesOn = done && !toRecord", "goesOn = !toRecord")),
            new Mutation(
                    "rows are read before their lanes are locked",
                    Theme.LOCKS_OF_A_ZOMBIE,
                    relay(
                            "LaneClaims",
                            "        Set<Long> fresh = tryLock(wanted);",
                            "        List<MessageHead> before = read.apply(wanted);\n        Set<Long> fresh = tryLock(wanted);"),
                    relay(
                            "LaneClaims",
                            "rows = read.apply(fresh);",
                            "rows = before.stream().filter(head -> fresh.contains(head.lane())).toList();")),
            new Mutation(
                    "only what later windows show of a lane is brought in when it is claimed",
                    Theme.LANES_OF_SEVERAL_NODES,
                    loop("ClaimedLanes", "rows = store.lanes(locked, Lane.CAPACITY + 1);", "rows = List.of();")),
            new Mutation(
                    "what other nodes have made wait in a lane is not asked",
                    Theme.LANES_OF_SEVERAL_NODES,
                    loop("ClaimedLanes", "claims.isPerLane() || state", "state")),
            new Mutation(
                    "lanes are claimed although a node that counts as alive has lost its locks",
                    Theme.LOCK_SESSION_IS_LOST,
                    relay("PeerSessions", "        return alive.isEmpty();", "        return true;")),
            new Mutation(
                    "a lane is given back before its last success is recorded",
                    Theme.LANES_OF_SEVERAL_NODES,
                    loop(
                            "Lanes",
                            "return lanes.containsKey(key) || orphans.anyInLane(key);",
                            "return orphans.anyInLane(key)\n                || lanes.containsKey(key)\n                        && !(lanes.get(key).queue.size() == 1 && lanes.get(key).turns.size() == 1);")),
            new Mutation(
                    "lanes of a dead node are claimed without its suspects",
                    Theme.LOCKS_OF_A_ZOMBIE,
                    relay("PeerSessions", "            nodeDied.run();\n", "")),
            new Mutation(
                    "a lane that was dropped is given back before it has been read again",
                    Theme.DROPPED_LANE_IS_UNLOCKED,
                    relay("LaneClaims", "            dropped.add(lane);\n", "")),
            new Mutation(
                    "a lane is claimed again by the node that lacks its handler",
                    Theme.LANES_OF_NEWER_NODES,
                    relay(
                            "LaneClaims",
                            "            denied.put(lane, now + Math.min(deferred, LONGEST_DEFERRED) + LEFT_TO_NEWER);\n",
                            "")),
            new Mutation(
                    "a node that has lost its session decides all the same",
                    Theme.LOCKS_OF_A_ZOMBIE,
                    memory(
                            "MemoryLockSession",
                            "if (!use() || !session.owner",
                            "if (session != null && !session.owner")),
            new Mutation(
                    "rows of a node that counts as alive are taken over",
                    Theme.ROWS_OF_SEVERAL_NODES,
                    memory("MemoryClaimRows", "holder == null || !isAlive(tables, holder)", "true")),
            new Mutation(
                    "a success is taken for recorded although an earlier one of its event is lost",
                    Theme.LATER_EVENT_OVERTAKES_LOST_SUCCESS,
                    workers("Acknowledger", "new Outcome.Lost(e)", "RECORDED")),
            new Mutation(
                    "a delivery is given up after its first failure",
                    null,
                    main("relay/failure", "FailurePolicy", "attempt >= retry.maxAttempts()", "attempt > 0")),
            new Mutation(
                    "a success outside a transaction is forgotten before it is recorded",
                    null,
                    workers(
                            "Acknowledger",
                            "            acknowledge(unfinished);\n        } catch",
                            "            acknowledge(unfinished.subList(1, unfinished.size()));\n        } catch")));

    Mutation(String name, Theme theme, Edit... edits) {
        this(name, theme, List.of(edits));
    }

    private static Edit relay(String file, String find, String replacement) {
        return main("relay", file, find, replacement);
    }

    private static Edit loop(String file, String find, String replacement) {
        return main("relay/loop", file, find, replacement);
    }

    private static Edit workers(String file, String find, String replacement) {
        return main("relay/workers", file, find, replacement);
    }

    private static Edit node(String file, String find, String replacement) {
        return main("relay/node", file, find, replacement);
    }

    private static Edit main(String folder, String file, String find, String replacement) {
        return new Edit(Path.of("src/main/java/io/outboxed/internal", folder, file + ".java"), find, replacement);
    }

    /** The store on which the simulation runs. */
    private static Edit memory(String file, String find, String replacement) {
        return new Edit(Path.of("src/test/java/io/outboxed/internal/store", file + ".java"), find, replacement);
    }
}

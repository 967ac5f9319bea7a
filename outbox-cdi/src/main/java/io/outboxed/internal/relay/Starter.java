package io.outboxed.internal.relay;

import io.outboxed.internal.store.Body;
import io.outboxed.internal.store.Decision;
import io.outboxed.internal.store.Head;
import io.outboxed.internal.store.Lease;
import io.outboxed.internal.store.RelayStore;
import io.outboxed.internal.store.Waiting;
import io.outboxed.internal.store.WaitingLane;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** Turns lanes that can run into calls: plans the handlers, counts suspects and retries, loads the bodies. */
final class Starter {
    private static final long BYTES_IN_MEMORY = 64L << 20;
    private static final int LOAD_PER_WORKER = 64;
    /** A row in a zombie's open transaction is looked at again so often. */
    private static final long HELD_BY_OTHERS = Duration.ofMillis(500).toNanos();

    private final RelayStore store;
    private final Memory memory;
    private final Plan plan;
    private final Results results;
    private final Waits waits;
    private final KnownHandlers known;
    private final CallQueue calls;
    private final SuspectTurns suspectTurns;
    private final int load;
    /** Retries whose try has been counted, in this turn or, after an outage, in a later one. */
    private final List<Run> counted = new ArrayList<>();

    Starter(
            RelayStore store,
            Memory memory,
            Plan plan,
            Results results,
            Waits waits,
            KnownHandlers known,
            CallQueue calls,
            int workers) {
        this.store = store;
        this.memory = memory;
        this.plan = plan;
        this.results = results;
        this.waits = waits;
        this.known = known;
        this.calls = calls;
        this.suspectTurns = new SuspectTurns(memory.lanes());
        this.load = workers * LOAD_PER_WORKER;
    }

    void start(long now) {
        suspectTurns.offerNext(now);
        List<Run> ready = new ArrayList<>();
        List<Run> runs = begin(now);
        if (!runs.isEmpty()) {
            plan(runs, now);
            for (Run run : countSuspects(runs, now)) {
                if (run.postponed) {
                    postpone(run);
                } else if (run.open.isEmpty()) {
                    results.next(run);
                } else if (run.waiting != null && !run.probe) {
                    countRetry(run);
                } else {
                    ready.add(run);
                }
            }
            memory.decisions().carryOut();
        }
        ready.addAll(counted);
        counted.clear();
        load(ready);
    }

    private List<Run> begin(long now) {
        int room = load - calls.load();
        if (room <= 0 || results.bytes() > BYTES_IN_MEMORY) {
            return List.of();
        }
        List<Run> runs = new ArrayList<>();
        long bytes = results.bytes();
        for (Lane lane : memory.lanes().takeRunnable(room, now)) {
            if (!runs.isEmpty() && bytes > BYTES_IN_MEMORY) {
                memory.lanes().touch(lane);
                continue;
            }
            HeldShard shard = memory.shards().get(lane.shard);
            if (shard == null || shard.isLeaving() || memory.lanes().get(lane.key) != lane || !lane.isRunnable()) {
                continue;
            }
            Waiting waiting = lane.nextWaiting();
            Head head = waiting == null ? lane.queue.peekFirst() : waiting.head();
            Run run = new Run(lane, shard.lease, head, waiting);
            if (waiting == null && shard.suspects.include(head)) {
                run.suspect = true;
                run.deaths = shard.suspects.deaths(head);
                if (!suspectTurns.mayBegin(run, now)) {
                    continue;
                }
            }
            lane.runs.add(run);
            bytes += head.size();
            runs.add(run);
            if (waiting == null && !run.suspect) {
                bytes += addFollowers(run, shard.suspects, BYTES_IN_MEMORY - bytes);
            }
        }
        return runs;
    }

    /** @return how large they are */
    private static long addFollowers(Run run, Suspects suspects, long room) {
        long bytes = 0;
        for (Head head : run.lane.queue) {
            if (head == run.head) {
                continue;
            }
            if (suspects.include(head)
                    || !head.type().equals(run.head.type())
                    || head.onlyHandler() != null
                    || head.registry() > run.head.registry()
                    || bytes > room) {
                break;
            }
            Run follower = new Run(run.lane, run.lease, head, null);
            run.followers.add(follower);
            run.lane.runs.add(follower);
            bytes += head.size();
        }
        return bytes;
    }

    private void plan(List<Run> runs, long now) {
        long wanted = runs.stream().mapToLong(run -> run.head.registry()).max().orElse(0);
        known.refresh(wanted, now);
        Map<UUID, Set<String>> done = doneOf(runs);
        if (runs.stream().anyMatch(run -> known.of(run.head.type()).isEmpty())) {
            // after the done rows: a handler that is among them is registered, and must not be called once more
            known.readAgain(now);
        }
        runs.removeIf(this::waitsForAdoption);
        for (Run run : runs) {
            plan.make(run, done.getOrDefault(run.head.id(), Set.of()), now);
            follow(run, done.keySet());
        }
    }

    /** Earlier messages of the aggregate, for which there was no handler, may have one now: they come first. */
    private boolean waitsForAdoption(Run run) {
        if (run.waiting != null || !waits.mayAdopt(run.lane)) {
            return false;
        }
        waits.recheck(new WaitingLane(run.lane.key, run.lane.shard, WaitingLane.UNKNOWN));
        run.followers.forEach(memory.lanes()::putBack);
        memory.lanes().putBack(run);
        return true;
    }

    /** A row that shows marks may have a handler behind it that is not to be called again: it starts a row of its own. */
    private void follow(Run run, Set<UUID> touched) {
        int end = 0;
        if (plan.mayBeFollowed(run)) {
            while (end < run.followers.size()
                    && !touched.contains(run.followers.get(end).head.id())) {
                Run follower = run.followers.get(end++);
                follower.open.addAll(run.open);
                follower.groups = run.groups;
            }
        }
        List<Run> left = run.followers.subList(end, run.followers.size());
        run.lane.runs.removeAll(left);
        left.clear();
    }

    private Map<UUID, Set<String>> doneOf(List<Run> runs) {
        List<UUID> touched = runs.stream()
                .flatMap(Run::andFollowers)
                .filter(run -> run.waiting == null && run.head.version() > 0)
                .map(run -> run.head.id())
                .toList();
        return touched.isEmpty() ? Map.of() : store.done(touched);
    }

    /** A message that may have been running when its node died is counted before it runs again. */
    private List<Run> countSuspects(List<Run> runs, long now) {
        Map<Lease, List<Head>> suspects = new LinkedHashMap<>();
        Set<Long> firstOfLanes = new HashSet<>();
        for (Run run : runs) {
            if (run.suspect && !run.open.isEmpty()) {
                suspects.computeIfAbsent(run.lease, key -> new ArrayList<>()).add(run.head);
                if (suspectsOf(run).isFirstOfLane(run.head)) {
                    firstOfLanes.add(run.lane.key);
                }
            }
        }
        if (suspects.isEmpty()) {
            return runs;
        }
        Set<UUID> started = new HashSet<>();
        suspects.forEach((lease, heads) -> started.addAll(store.start(lease, heads, firstOfLanes)));
        List<Run> left = new ArrayList<>();
        for (Run run : runs) {
            if (!run.suspect || run.open.isEmpty()) {
                left.add(run);
            } else if (started.contains(run.head.id())) {
                counted(run);
                left.add(run);
            } else {
                memory.readAgainLater(run.lane, now + HELD_BY_OTHERS);
            }
        }
        return left;
    }

    private void counted(Run run) {
        if (suspectsOf(run).isFirstOfLane(run.head)) {
            run.lane.raiseVersionsBehind(run.head);
        }
        suspectsOf(run).counted(run.head);
        run.head = run.head.withVersion(run.head.version() + 1);
    }

    private Suspects suspectsOf(Run run) {
        return memory.shards().get(run.lane.shard).suspects;
    }

    private void countRetry(Run run) {
        run.deciding = true;
        Decision count = new Decision.Count(run.head, run.waiting.handler(), run.waiting.attempts() + 1);
        memory.decisions().add(run.lease, run.lane, count, () -> {
            run.deciding = false;
            counted.add(run);
        });
    }

    private void postpone(Run run) {
        Lane lane = run.lane;
        memory.lanes().dropPage(lane, run.waiting.group());
        memory.lanes().putBack(run);
        memory.decisions()
                .add(
                        run.lease,
                        lane,
                        plan.postponement(run),
                        () -> memory.lanes().touch(lane));
    }

    private void load(List<Run> runs) {
        runs.removeIf(run -> !memory.lanes().isCurrent(run));
        if (runs.isEmpty()) {
            return;
        }
        List<Run> all = runs.stream().flatMap(Run::andFollowers).toList();
        Map<Long, Body> bodies = bodies(all);
        for (Run run : all) {
            run.body = run.head.body() != null ? run.head.body() : bodies.get(run.head.seq());
        }
        for (Run run : runs) {
            if (run.andFollowers().allMatch(Starter::hasBody)) {
                results.next(run);
            } else {
                // settled by a node that has lost the shard since
                memory.readAgain(run.lane);
            }
        }
    }

    private static boolean hasBody(Run run) {
        return run.body != null && run.body.id().equals(run.head.id());
    }

    private Map<Long, Body> bodies(List<Run> runs) {
        Map<Long, Body> bodies = new HashMap<>();
        List<Long> wanted = runs.stream()
                .filter(run -> run.head.body() == null)
                .map(run -> run.head.seq())
                .toList();
        if (!wanted.isEmpty()) {
            store.bodies(wanted).forEach(body -> bodies.put(body.seq(), body));
        }
        return bodies;
    }
}

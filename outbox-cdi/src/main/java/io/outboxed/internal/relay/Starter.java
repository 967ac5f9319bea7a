package io.outboxed.internal.relay;

import io.outboxed.internal.store.Body;
import io.outboxed.internal.store.Decision;
import io.outboxed.internal.store.Head;
import io.outboxed.internal.store.Lease;
import io.outboxed.internal.store.RelayStore;
import io.outboxed.internal.store.Waiting;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
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
    private static final long OTHERS_WAIT = Duration.ofSeconds(5).toNanos();
    private static final int MOST_COUNTED = 10_000;
    private static final long HELD_BY_OTHERS = Duration.ofMillis(500).toNanos();

    private final RelayStore store;
    private final Memory memory;
    private final Plan plan;
    private final Results results;
    private final KnownHandlers known;
    private final CallQueue calls;
    private final int load;
    /** Lanes whose next message was running when a node died twice: each runs with nothing else on this node. */
    private final Deque<Lane> alone = new ArrayDeque<>();

    /** Suspects that were counted in this node's life; a second count would take a lost mark for a dead node. */
    private final Set<UUID> counted = new HashSet<>();
    /** Lanes whose row a zombie's open transaction may still hold, and when to read them again. */
    private final Map<Lane, Long> heldByOthers = new LinkedHashMap<>();

    private Run aloneNow;
    /** Since when the others have been held up for one that runs alone; a handler that hangs must not hold them for ever. */
    private long aloneSince;

    Starter(
            RelayStore store,
            Memory memory,
            Plan plan,
            Results results,
            KnownHandlers known,
            CallQueue calls,
            int workers) {
        this.store = store;
        this.memory = memory;
        this.plan = plan;
        this.results = results;
        this.known = known;
        this.calls = calls;
        this.load = workers * LOAD_PER_WORKER;
    }

    void start(long now) {
        readHeldAgain(now);
        List<Run> runs = begin(now);
        if (runs.isEmpty()) {
            return;
        }
        long wanted = runs.stream().mapToLong(run -> run.head.registry()).max().orElse(0);
        known.refresh(wanted, now);
        Map<UUID, Set<String>> done = doneOf(runs);
        for (Run run : runs) {
            plan.make(run, done.getOrDefault(run.head.id(), Set.of()), now);
            follow(run, done.keySet());
        }
        runs = countSuspects(runs, now);
        List<Run> ready = new ArrayList<>();
        for (Run run : runs) {
            if (plan.isPostponed(run)) {
                postpone(run);
            } else if (run.open.isEmpty()) {
                results.next(run);
            } else if (run.waiting != null && !plan.isProbe(run)) {
                countRetry(run, ready);
            } else {
                ready.add(run);
            }
        }
        memory.decisions().carryOut();
        load(ready);
    }

    private List<Run> begin(long now) {
        int room = load - calls.load();
        boolean othersMustWait = !alone.isEmpty() || isRunning(aloneNow);
        if (othersMustWait && now - aloneSince < OTHERS_WAIT) {
            return isRunning(aloneNow) || calls.load() > 0 ? List.of() : beginAlone();
        }
        aloneSince = now;
        if (othersMustWait && !isRunning(aloneNow)) {
            return beginAlone();
        }
        if (room <= 0 || results.bytes() > BYTES_IN_MEMORY) {
            return List.of();
        }
        return begin(memory.lanes().takeRunnable(room), false);
    }

    private List<Run> beginAlone() {
        return begin(List.of(alone.pollFirst()), true);
    }

    private boolean isRunning(Run run) {
        return run != null && memory.lanes().isCurrent(run);
    }

    private List<Run> begin(List<Lane> lanes, boolean mayRunAlone) {
        List<Run> runs = new ArrayList<>();
        long bytes = results.bytes();
        for (Lane lane : lanes) {
            if (!runs.isEmpty() && bytes > BYTES_IN_MEMORY) {
                memory.lanes().touch(lane);
                continue;
            }
            HeldShard shard = memory.shards().get(lane.shard);
            if (shard == null
                    || shard.leavingTo != null
                    || memory.lanes().get(lane.key) != lane
                    || !lane.isRunnable()) {
                continue;
            }
            Waiting waiting = lane.nextWaiting();
            Head head = waiting == null ? lane.queue.peekFirst() : waiting.head();
            if (waiting == null && head.starts() > 0 && !mayRunAlone) {
                alone.addLast(lane);
                continue;
            }
            Run run = new Run(lane, shard.lease, head, waiting);
            lane.runs.add(run);
            run.suspect = waiting == null && head.seq() <= shard.suspectUpTo && !counted.contains(head.id());
            aloneNow = mayRunAlone ? run : null;
            bytes += head.size();
            runs.add(run);
            if (waiting == null && !mayRunAlone) {
                bytes += addFollowers(run, shard.suspectUpTo, BYTES_IN_MEMORY - bytes);
            }
        }
        return runs;
    }

    /** @return how large they are */
    private static long addFollowers(Run run, long suspectUpTo, long room) {
        long bytes = 0;
        for (Head head : run.lane.queue) {
            if (head == run.head) {
                continue;
            }
            if (head.seq() <= suspectUpTo
                    || head.starts() > 0
                    || !head.type().equals(run.head.type())
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

    /** A row that shows marks may have a handler behind it that is not to be called again: it starts a row of its own. */
    private void follow(Run run, Set<UUID> touched) {
        int end = 0;
        if (plan.mayBeFollowed(run)) {
            while (end < run.followers.size()
                    && !touched.contains(run.followers.get(end).head.id())) {
                run.followers.get(end++).open.addAll(run.open);
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
        for (Run run : runs) {
            if (run.suspect && !run.open.isEmpty()) {
                suspects.computeIfAbsent(run.lease, key -> new ArrayList<>()).add(run.head);
            }
        }
        if (suspects.isEmpty()) {
            return runs;
        }
        if (counted.size() > MOST_COUNTED) {
            counted.clear();
        }
        suspects.forEach((lease, heads) -> counted.addAll(store.start(lease, heads)));
        List<Run> left = new ArrayList<>();
        for (Run run : runs) {
            if (!run.suspect || run.open.isEmpty()) {
                left.add(run);
            } else if (counted.contains(run.head.id())) {
                run.head = run.head.withVersion(run.head.version() + 1);
                left.add(run);
            } else {
                heldByOthers.put(run.lane, now + HELD_BY_OTHERS);
            }
        }
        return left;
    }

    private void readHeldAgain(long now) {
        for (var each = heldByOthers.entrySet().iterator(); each.hasNext(); ) {
            var held = each.next();
            if (now - held.getValue() >= 0) {
                each.remove();
                if (memory.lanes().get(held.getKey().key) == held.getKey()) {
                    memory.readAgain(held.getKey());
                }
            }
        }
    }

    private void countRetry(Run run, List<Run> counted) {
        memory.decisions()
                .add(
                        run.lease,
                        new Decision.Count(run.head, run.waiting.handler(), run.waiting.attempts() + 1),
                        () -> counted.add(run),
                        () -> memory.readAgain(run.lane));
    }

    private void postpone(Run run) {
        Lane lane = run.lane;
        memory.lanes().dropPage(lane, run.waiting.handler());
        memory.lanes().putBack(run);
        memory.decisions()
                .add(run.lease, plan.postponement(run), () -> memory.lanes().touch(lane), () -> memory.readAgain(lane));
    }

    private void load(List<Run> runs) {
        runs.removeIf(run -> !memory.lanes().isCurrent(run));
        if (runs.isEmpty()) {
            return;
        }
        List<Run> all = runs.stream().flatMap(Run::andFollowers).toList();
        Map<Long, Body> bodies = bodies(all);
        for (Run run : all) {
            run.body = isReadAlong(run) ? run.head.body() : bodies.get(run.head.seq());
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

    /** A row that the shard's last owner was perhaps about to settle is looked at once more. */
    private boolean isReadAlong(Run run) {
        return run.head.body() != null && run.head.seq() > memory.shards().get(run.lane.shard).suspectUpTo;
    }

    private Map<Long, Body> bodies(List<Run> runs) {
        Map<Long, Body> bodies = new HashMap<>();
        List<Long> wanted = runs.stream()
                .filter(run -> !isReadAlong(run))
                .map(run -> run.head.seq())
                .toList();
        if (!wanted.isEmpty()) {
            store.bodies(wanted).forEach(body -> bodies.put(body.seq(), body));
        }
        return bodies;
    }
}

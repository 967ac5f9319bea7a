package io.outboxed.internal.store;

import io.outboxed.internal.store.StoreBench.Delivery;
import io.outboxed.internal.store.StoreBench.Draft;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** Words in which the contract is written. */
interface StoreContract {
    long HOUR = 3_600_000_000L;
    int SHARD = 7;
    long LANE = 7;

    StoreBench bench();

    /** Shard 7 is in our hands. */
    Lease lease();

    default RelayStore store() {
        return bench().store();
    }

    default Lease takeShard(int shard, String owner) {
        ShardOwner observed = store().shards().get(shard);
        return new Lease(shard, owner, store().take(observed, owner).orElseThrow());
    }

    default Head publish() {
        return bench().publish(Draft.inLane(LANE));
    }

    default void decide(Decision... decisions) {
        store().decide(lease(), List.of(decisions));
    }

    /** One successful delivery of a transactional handler. */
    default void deliver(Head head, String handler, Settlement how) {
        try (Delivery delivery = bench().begin()) {
            delivery.mark(head);
            delivery.settle(head, handler, how);
            delivery.commit();
        }
    }

    static HandlerRegistration handler(String type, String name) {
        return new HandlerRegistration(type, name, "group of " + name);
    }

    static Decision judge(Head head, Verdict... verdicts) {
        return new Decision.Judge(head, List.of(verdicts));
    }

    static Verdict retry(String handler, long delay) {
        return new Verdict.Retry(handler, handler, 1, "boom", delay);
    }

    static Verdict dead(String handler) {
        return new Verdict.Dead(handler, handler, 3, "boom");
    }

    static Verdict blocked(String handler) {
        return new Verdict.Blocked(handler, handler, 3, "boom");
    }

    static Settled settled(Head head, String handler, Settlement how) {
        return new Settled(head, handler, how);
    }

    static WaitingLane laneOf(String group) {
        return new WaitingLane(LANE, SHARD, group);
    }

    default List<String> dueGroups() {
        return store().due(List.of(SHARD), 100).stream().map(WaitingLane::group).toList();
    }

    default List<Head> ready() {
        return store().ready(List.of(new Window(SHARD, 0, 1000))).stream()
                .map(StoreBench::withoutBody)
                .toList();
    }

    /** As the row is now. */
    default Head split(String handler) {
        return store().waiting(LANE, handler, 10).get(0).head();
    }

    /** Each suspect is the first one of its lane. */
    default List<UUID> start(Lease lease, List<Head> suspects) {
        Set<Long> lanes = new HashSet<>();
        suspects.forEach(suspect -> lanes.add(suspect.lane()));
        return store().start(lease, suspects, lanes);
    }
}

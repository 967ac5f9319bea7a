package io.outboxed.internal.store;

import io.outboxed.internal.store.StoreFixture.Delivery;
import io.outboxed.internal.store.StoreFixture.Draft;
import io.outboxed.internal.store.cluster.HandlerRegistration;
import io.outboxed.internal.store.cluster.Lease;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** Operations in terms of which the contract is written. */
interface StoreContract {
    long HOUR = 3_600_000_000L;
    int SHARD = 7;
    long LANE = 7;

    StoreFixture bench();

    /** We own shard 7. */
    Lease lease();

    default RelayStore store() {
        return bench().store();
    }

    default Lease takeShard(int shard, String owner) {
        Lease observed = store().shards().all().get(shard);
        return new Lease(shard, owner, store().shards().take(observed, owner).orElseThrow());
    }

    default MessageHead publish() {
        return bench().publish(Draft.inLane(LANE));
    }

    default void write(FencedWrite... writes) {
        store().writes().write(Map.of(lease(), List.of(writes)));
    }

    /** One successful delivery of a transactional handler. */
    default void deliver(MessageHead head, String handler, AckMode ackMode) {
        try (Delivery delivery = bench().begin()) {
            delivery.claim(head);
            delivery.acknowledge(head, handler, ackMode);
            delivery.commit();
        }
    }

    static HandlerRegistration handler(String type, String name) {
        return new HandlerRegistration(type, name, "group of " + name);
    }

    static FencedWrite resolve(MessageHead head, Resolution... resolutions) {
        return new FencedWrite.Resolve(head, List.of(resolutions));
    }

    static Resolution retry(String handler, long delay) {
        return new Resolution.Retry(handler, handler, 1, "boom", delay);
    }

    static Resolution dead(String handler) {
        return new Resolution.Dead(handler, handler, 3, "boom");
    }

    static Resolution blocked(String handler) {
        return new Resolution.Blocked(handler, handler, 3, "boom");
    }

    static Ack acknowledged(MessageHead head, String handler, AckMode ackMode) {
        return new Ack(head, handler, ackMode);
    }

    static LaneWait laneOf(String group) {
        return new LaneWait(LANE, SHARD, group);
    }

    default List<String> dueGroups() {
        return store().reads().due(List.of(SHARD), 100, Set.of()).stream()
                .map(LaneWait::group)
                .toList();
    }

    /** Read by lane. */
    default List<String> dueGroupsOf(long... lanes) {
        return store().reads().dueOf(LongStream.of(lanes).boxed().toList()).stream()
                .map(LaneWait::group)
                .toList();
    }

    default List<MessageHead> ready() {
        return store().reads().ready(List.of(new ReadWindow(SHARD, 0, 1000))).stream()
                .map(StoreFixture::withoutBody)
                .toList();
    }

    /** The row as it is now. */
    default MessageHead split(String handler) {
        return store().reads().waiting(LANE, handler, 10).get(0).head();
    }

    /** Each suspect is the first of its lane. */
    default List<UUID> start(Lease lease, List<MessageHead> suspects) {
        Set<Long> lanes = new HashSet<>();
        suspects.forEach(suspect -> lanes.add(suspect.lane()));
        return store().writes()
                .start(lease, suspects, suspects.stream().map(MessageHead::id).collect(Collectors.toSet()), lanes);
    }
}

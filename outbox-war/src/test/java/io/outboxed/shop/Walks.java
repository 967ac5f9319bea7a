package io.outboxed.shop;

import io.outboxed.AggregateId;
import io.outboxed.EventType;
import io.outboxed.Outbox;
import io.outboxed.Outboxed;
import io.outboxed.Payload;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import jakarta.transaction.Transactional.TxType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Publishes numbered steps in every possible way, and remembers the order in which each walker's steps arrived. */
@ApplicationScoped
@Transactional
public class Walks {

    /** One step of a walker: the walkers are the aggregates. */
    @EventType("walker.step")
    public record Step(@AggregateId String walker, int number) {}

    private final Map<String, List<Integer>> seen = new ConcurrentHashMap<>();

    @Inject
    Outbox outbox;

    void arrived(@Observes Step step) {
        seen.computeIfAbsent(step.walker(), walker -> Collections.synchronizedList(new ArrayList<>()))
                .add(step.number());
    }

    @Transactional(TxType.SUPPORTS)
    public List<Integer> stepsOf(String walker) {
        return List.copyOf(seen.getOrDefault(walker, List.of()));
    }

    /** The same step of several walkers, in one transaction. */
    @Outboxed
    public List<Step> together(List<String> walkers, int number) {
        return walkers.stream().map(walker -> new Step(walker, number)).toList();
    }

    @Outboxed
    public Step one(String walker) {
        return new Step(walker, 1);
    }

    @Outboxed
    public Optional<Step> maybe(String walker, boolean really) {
        return really ? Optional.of(new Step(walker, 2)) : Optional.empty();
    }

    @Outboxed
    public Step[] array(String walker) {
        return new Step[] {new Step(walker, 3), new Step(walker, 4)};
    }

    @Outboxed
    public void payload(@Payload Step step) {}

    public void byHand(Step step) {
        outbox.publish(step);
    }

    @Outboxed
    @Transactional(TxType.REQUIRES_NEW)
    public Step inNewTransaction(Step step) {
        return step;
    }

    @Transactional(TxType.NOT_SUPPORTED)
    public void withoutTransaction(Step step) {
        outbox.publish(step);
    }
}

package io.outboxed.internal.store;

import static io.outboxed.internal.store.StoreContract.acknowledged;
import static io.outboxed.internal.store.StoreContract.blocked;
import static io.outboxed.internal.store.StoreContract.dead;
import static io.outboxed.internal.store.StoreContract.retry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.DeadLetter;
import io.outboxed.internal.store.StoreFixture.Draft;
import io.outboxed.internal.store.cluster.Lease;
import io.outboxed.internal.store.cluster.LeaseLostException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Decisions of several lanes and shards in one transaction, whose statements are about all of them. */
interface DecisionsTogetherContract extends StoreContract {
    int SEEDS = 5;
    int LANES = 8;
    int MESSAGES = 3;
    int ROUNDS = 4;
    List<String> HANDLERS = List.of("A", "B", "C", LaneWait.NO_HANDLER);
    List<String> ADOPTING = List.of("D", "E");

    /** A lane whose decisions are written with those of others, and one that gets the same, each by itself. */
    record Twins(Lease lease, List<MessageHead> together, List<MessageHead> alone) {}

    @Test
    default void decisions_written_together_leave_what_they_leave_one_by_one() {
        Lease other = takeShard(SHARD + 1, "me");
        for (int seed = 1; seed <= SEEDS; seed++) {
            Random random = new Random(seed);
            List<Twins> all = new ArrayList<>();
            for (int i = 0; i < LANES; i++) {
                long lane = 64L * 2 * (LANES * seed + i);
                Lease lease = i % 2 == 0 ? lease() : other;
                all.add(new Twins(lease, publish(lane + lease.shard()), publish(lane + 64 + lease.shard())));
            }
            for (Twins twins : all) {
                if (random.nextBoolean()) {
                    int index = random.nextInt(MESSAGES);
                    store().acks()
                            .acknowledge(List.of(
                                    acknowledged(twins.together().get(index), "A", AckMode.ADD_DONE_ROW),
                                    acknowledged(twins.alone().get(index), "A", AckMode.ADD_DONE_ROW)));
                }
            }
            for (int round = 1; round <= ROUNDS; round++) {
                Map<Lease, List<FencedWrite>> batch = new LinkedHashMap<>();
                for (Twins twins : all) {
                    for (int i = random.nextInt(3); i >= 0; i--) {
                        long choices = random.nextLong();
                        batch.computeIfAbsent(twins.lease(), lease -> new ArrayList<>())
                                .add(decision(new Random(choices), twins.together()));
                        FencedWrite alone = decision(new Random(choices), twins.alone());
                        store().writes().write(Map.of(twins.lease(), List.of(alone)));
                    }
                }
                store().writes().write(batch);
                for (Twins twins : all) {
                    assertThat(stored(twins.together()))
                            .as("seed %d, round %d, %s", seed, round, batch)
                            .isEqualTo(stored(twins.alone()));
                }
            }
        }
    }

    @Test
    default void if_one_of_their_leases_is_lost_none_of_them_is_stored() {
        Lease lost = takeShard(SHARD + 1, "me");
        MessageHead mine = publish(LANE).get(0);
        MessageHead theirs = publish(64 + SHARD + 1).get(0);
        takeShard(SHARD + 1, "other");

        assertThatThrownBy(() -> store().writes()
                        .write(Map.of(
                                lease(),
                                List.of(StoreContract.resolve(mine, dead("A"))),
                                lost,
                                List.of(StoreContract.resolve(theirs, dead("A"))))))
                .isInstanceOfSatisfying(
                        LeaseLostException.class, e -> assertThat(e.lease()).isEqualTo(lost));

        assertThat(bench().deadLetters()).isEmpty();
        assertThat(ready()).contains(mine);
    }

    private List<MessageHead> publish(long lane) {
        List<MessageHead> heads = new ArrayList<>();
        for (int i = 0; i < MESSAGES; i++) {
            heads.add(bench().publish(Draft.inLane(lane)));
        }
        return heads;
    }

    private static FencedWrite decision(Random random, List<MessageHead> heads) {
        MessageHead head = heads.get(random.nextInt(heads.size()));
        String handler = HANDLERS.get(random.nextInt(HANDLERS.size()));
        LaneWait wait = new LaneWait(head.lane(), head.shard(), random.nextInt(5) == 0 ? LaneWait.PARKED : handler);
        return switch (random.nextInt(12)) {
            case 0 -> new FencedWrite.Park(head.lane(), heads.subList(0, 1 + random.nextInt(heads.size())));
            case 1 -> new FencedWrite.PostponeLane(wait, random.nextBoolean() ? HOUR : 0);
            case 2 -> new FencedWrite.PauseLane(wait);
            case 3 -> new FencedWrite.CountAttempt(head, handler, random.nextInt(9));
            case 4 ->
                new FencedWrite.Adopt(head, ADOPTING.stream().collect(Collectors.toMap(each -> each, each -> each)));
            case 5 -> new FencedWrite.UpdateStarts(head, 0, 1);
            case 6 -> new FencedWrite.RevertStart(head);
            default -> new FencedWrite.Resolve(head, resolutions(random));
        };
    }

    private static List<Resolution> resolutions(Random random) {
        List<Resolution> resolutions = new ArrayList<>();
        for (String handler : HANDLERS) {
            switch (random.nextInt(7)) {
                case 0 -> resolutions.add(retry(handler, 0));
                case 1 -> resolutions.add(retry(handler, HOUR));
                case 2 -> resolutions.add(dead(handler));
                case 3 -> resolutions.add(blocked(handler));
                default -> {}
            }
        }
        return resolutions;
    }

    /** Everything of a lane, with the place of each message instead of its id. */
    private List<String> stored(List<MessageHead> heads) {
        long lane = heads.get(0).lane();
        List<UUID> ids = heads.stream().map(MessageHead::id).toList();
        List<String> all = new ArrayList<>();
        for (MessageHead head : store().reads().lane(lane, 100)) {
            all.add("message " + ids.indexOf(head.id()) + " " + head.status() + " " + head.version() + " "
                    + head.starts());
        }
        all.add("waits " + new TreeSet<>(store().reads().waits(List.of(lane)).getOrDefault(lane, Set.of())));
        all.add("due " + new TreeSet<>(dueGroupsOf(lane)));
        for (String group : Stream.concat(HANDLERS.stream(), ADOPTING.stream()).toList()) {
            store().reads()
                    .waiting(lane, group, 100)
                    .forEach(waiting -> all.add("delivery "
                            + ids.indexOf(waiting.head().id()) + " "
                            + waiting.handler() + " " + waiting.attempts() + " "
                            + waiting.head().version() + " " + waiting.head().starts()));
        }
        Map<UUID, Set<String>> done = store().reads().done(ids);
        ids.forEach(id -> all.add("done " + ids.indexOf(id) + " " + new TreeSet<>(done.getOrDefault(id, Set.of()))));
        bench().deadLetters().stream()
                .filter(letter -> ids.contains(letter.messageId()))
                .map(letter -> text(letter, ids))
                .sorted()
                .forEach(all::add);
        return all;
    }

    private static String text(DeadLetter letter, List<UUID> ids) {
        return "dead " + ids.indexOf(letter.messageId()) + " " + letter.handler() + " " + letter.attempts() + " "
                + letter.blocking() + " " + letter.error();
    }
}

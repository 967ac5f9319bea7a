package io.outboxed.internal.store;

import static io.outboxed.internal.store.StoreContract.blocked;
import static io.outboxed.internal.store.StoreContract.dead;
import static io.outboxed.internal.store.StoreContract.resolve;
import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.DeadLetter;
import io.outboxed.admin.DeadLetterFilter;
import io.outboxed.internal.store.StoreFixture.Draft;
import io.outboxed.internal.store.jdbc.DeadLetterStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Which dead letters are found and counted, and in which order. */
interface DeadLetterSearchContract extends JdbcContract {

    @Test
    default void dead_letters_are_listed_page_by_page_the_newest_first() {
        List<UUID> ids = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            MessageHead head = publish();
            ids.add(head.id());
            write(resolve(head, dead("A"), dead("B")));
        }
        try (DeadLetterStore letters = jdbc().deadLetterStore()) {
            List<DeadLetter> all = new ArrayList<>();
            DeadLetterPosition after = null;
            for (List<DeadLetter> page; !(page = letters.find(DeadLetterFilter.all(), after, 3)).isEmpty(); ) {
                all.addAll(page);
                after = DeadLetterPosition.of(page.get(page.size() - 1));
            }
            assertThat(all).doesNotHaveDuplicates().hasSize(14);
            assertThat(all).isSortedAccordingTo((a, b) -> b.diedAt().compareTo(a.diedAt()));
            assertThat(all).extracting(DeadLetter::messageId).hasSameElementsAs(ids);
            DeadLetter newest = all.get(0);
            assertThat(newest.type()).isEqualTo("order.placed");
            assertThat(newest.aggregateType()).isEqualTo("order");
            assertThat(newest.aggregateId()).isEqualTo("o-7");
            assertThat(newest.blocking()).isFalse();
        }
    }

    @Test
    default void those_that_died_at_the_same_time_are_neither_missed_nor_found_twice() throws Exception {
        write(resolve(publish(), dead("A"), dead("B"), dead("C")), resolve(publish(), dead("A"), dead("B")));
        jdbc().run("UPDATE outbox_dead SET died_at = 7");
        try (DeadLetterStore letters = jdbc().deadLetterStore()) {
            Set<DeadLetterPosition> found = new HashSet<>();
            DeadLetterPosition after = null;
            for (List<DeadLetter> page; !(page = letters.find(DeadLetterFilter.all(), after, 2)).isEmpty(); ) {
                page.forEach(letter ->
                        assertThat(found.add(DeadLetterPosition.of(letter))).isTrue());
                after = DeadLetterPosition.of(page.get(page.size() - 1));
            }
            assertThat(found).hasSize(5);
        }
    }

    @Test
    default void a_filter_finds_and_counts_those_that_meet_all_its_conditions() {
        MessageHead first = publish();
        write(resolve(first, dead("A"), dead("B")));
        MessageHead other = bench().publish(Draft.inLane(LANE + 64).type("invoice.sent"));
        write(resolve(other, dead("A")));
        MessageHead last = publish();
        write(resolve(last, blocked("B")));
        try (DeadLetterStore letters = jdbc().deadLetterStore()) {
            Instant died = letters.get(other.id(), "A").orElseThrow().diedAt();
            Map<DeadLetterFilter, List<UUID>> expected = Map.of(
                    DeadLetterFilter.all(), List.of(last.id(), other.id(), first.id(), first.id()),
                    DeadLetterFilter.all().handler("B"), List.of(last.id(), first.id()),
                    DeadLetterFilter.all().type("invoice.sent"), List.of(other.id()),
                    DeadLetterFilter.all().aggregate("order", "o-" + LANE), List.of(last.id(), first.id(), first.id()),
                    DeadLetterFilter.all().aggregate(null, "o-" + LANE).handler("A"), List.of(first.id()),
                    DeadLetterFilter.all().diedSince(died), List.of(last.id(), other.id()),
                    DeadLetterFilter.all().diedUntil(died), List.of(first.id(), first.id()),
                    DeadLetterFilter.all().diedSince(died).diedUntil(died.plusNanos(1000)), List.of(other.id()),
                    DeadLetterFilter.all()
                                    .diedSince(Instant.MIN)
                                    .diedUntil(Instant.MAX)
                                    .onlyBlocking(),
                            List.of(last.id()),
                    DeadLetterFilter.all().handler("A").onlyBlocking(), List.of());
            expected.forEach((filter, ids) -> {
                assertThat(letters.find(filter, null, 10))
                        .extracting(DeadLetter::messageId)
                        .containsExactlyElementsOf(ids);
                assertThat(letters.count(filter)).isEqualTo(ids.size());
            });
            assertThat(letters.get(other.id(), "B")).isEmpty();
        }
    }

    @Test
    default void aggregates_whose_ids_differ_in_a_space_at_the_end_are_told_apart() throws Exception {
        MessageHead first = publish();
        MessageHead other = publish();
        write(resolve(first, dead("A")), resolve(other, dead("B")));
        jdbc().run("UPDATE outbox_dead SET aggregate_id = 'o-7 ' WHERE handler = 'B'");
        try (DeadLetterStore letters = jdbc().deadLetterStore()) {
            assertThat(letters.find(DeadLetterFilter.all().aggregate("order", "o-7"), null, 10))
                    .extracting(DeadLetter::messageId)
                    .containsExactly(first.id());
            assertThat(letters.count(DeadLetterFilter.all().aggregate("order", "o-7 ")))
                    .isEqualTo(1);
        }
    }

    @Test
    default void a_filter_finds_by_event_and_by_a_part_of_the_error() {
        MessageHead first = publish();
        MessageHead second = publish();
        write(resolve(first, new Resolution.Dead("A", "A", 3, "java.net.ConnectException: 10% of [mail_1]")));
        write(resolve(second, dead("A"), dead("B")));
        try (DeadLetterStore letters = jdbc().deadLetterStore()) {
            Map<DeadLetterFilter, List<UUID>> expected = Map.of(
                    DeadLetterFilter.all().message(second.id()), List.of(second.id(), second.id()),
                    DeadLetterFilter.all().message(second.id()).handler("B"), List.of(second.id()),
                    DeadLetterFilter.all().message(UUID.randomUUID()), List.of(),
                    DeadLetterFilter.all().error("10% of [mail_1]"), List.of(first.id()),
                    DeadLetterFilter.all().error("connectexception"), List.of(),
                    DeadLetterFilter.all().error("%"), List.of(first.id()),
                    DeadLetterFilter.all().error("boom"), List.of(second.id(), second.id()));
            expected.forEach((filter, ids) -> {
                assertThat(letters.find(filter, null, 10))
                        .as(filter.toString())
                        .extracting(DeadLetter::messageId)
                        .containsExactlyElementsOf(ids);
                assertThat(letters.count(filter)).isEqualTo(ids.size());
            });
            assertThat(Unrecorded.discard(
                            letters, DeadLetterFilter.all().error("boom").message(second.id()), 10, each -> {}))
                    .isEqualTo(2);
            assertThat(letters.count(DeadLetterFilter.all())).isEqualTo(1);
        }
    }
}

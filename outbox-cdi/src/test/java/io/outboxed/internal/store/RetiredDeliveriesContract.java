package io.outboxed.internal.store;

import static io.outboxed.internal.store.StoreContract.dead;
import static io.outboxed.internal.store.StoreContract.resolve;
import static io.outboxed.internal.store.StoreContract.retry;
import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.database.ChangeRecorder;
import io.outboxed.internal.retention.RetiredHandlers;
import io.outboxed.internal.store.StoreFixture.Delivery;
import io.outboxed.internal.store.StoreFixture.Draft;
import io.outboxed.internal.store.jdbc.RetiredDeliveries;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which deliveries of a retired handler can be dropped. */
interface RetiredDeliveriesContract extends JdbcContract {

    @Test
    default void a_delivery_of_a_retired_handler_is_dropped_only_while_it_is_retired_and_free() throws Exception {
        store().handlers()
                .register(List.of(
                        StoreContract.handler("order.placed", "A"), StoreContract.handler("order.placed", "B")));
        MessageHead first = publish();
        MessageHead second = publish();
        write(resolve(first, retry("A", 0), retry("B", 0)), resolve(second, retry("A", 0)));
        try (RetiredDeliveries deliveries = jdbc().retiredDeliveries()) {
            assertThat(deliveries.find("A", null, 10)).isEmpty();
            assertThat(deliveries.retire("order.placed", "A", ChangeRecorder.NONE))
                    .isTrue();
            List<RetiredDelivery> waiting = deliveries.find("A", null, 10);
            assertThat(waiting).extracting(RetiredDelivery::messageId).containsExactly(first.id(), second.id());
            assertThat(deliveries.find("A", waiting.get(0), 10)).containsExactly(waiting.get(1));
            try (Delivery running = bench().begin()) {
                running.claim(first.withVersion(first.version() + 1));
                assertThat(deliveries.drop(waiting.get(0), ChangeRecorder.NONE))
                        .isEqualTo(RetiredDeliveries.Result.LOCKED);
            }
            assertThat(deliveries.drop(waiting.get(0), ChangeRecorder.NONE))
                    .isEqualTo(RetiredDeliveries.Result.DROPPED);
            assertThat(deliveries.drop(waiting.get(0), ChangeRecorder.NONE)).isEqualTo(RetiredDeliveries.Result.GONE);
            store().handlers().register(List.of(StoreContract.handler("order.placed", "A")));
            assertThat(deliveries.drop(waiting.get(1), ChangeRecorder.NONE)).isEqualTo(RetiredDeliveries.Result.GONE);
            assertThat(dueGroups()).containsExactlyInAnyOrder("A", "B");
            assertThat(deliveries.retire("order.placed", "A", ChangeRecorder.NONE))
                    .isTrue();
            assertThat(deliveries.drop(waiting.get(1), ChangeRecorder.NONE))
                    .isEqualTo(RetiredDeliveries.Result.DROPPED);
        }
        assertThat(dueGroups()).containsExactly("B");
        assertThat(jdbc().messageRows()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7})
    default void all_are_found_in_steps_among_those_of_other_handlers(int step) throws Exception {
        store().handlers()
                .register(List.of(
                        StoreContract.handler("order.placed", "A"), StoreContract.handler("order.placed", "B")));
        List<UUID> ofA = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            MessageHead message = publish();
            if (i % 4 == 3) {
                ofA.add(message.id());
                write(resolve(message, retry("A", 0), retry("B", 0)));
            } else {
                write(resolve(message, retry("B", 0)));
            }
        }
        try (RetiredDeliveries deliveries = jdbc().retiredDeliveries(step)) {
            deliveries.retire("order.placed", "A", ChangeRecorder.NONE);
            List<UUID> found = new ArrayList<>();
            RetiredDelivery last = null;
            for (List<RetiredDelivery> page; !(page = deliveries.find("A", last, 1)).isEmpty(); ) {
                last = page.get(0);
                found.add(last.messageId());
            }
            assertThat(found).isEqualTo(ofA);
        }
    }

    @Test
    default void a_count_reads_only_so_many_deliveries_of_whatever_handler() {
        store().handlers()
                .register(List.of(
                        StoreContract.handler("order.placed", "A"), StoreContract.handler("order.placed", "B")));
        write(resolve(publish(), retry("A", 0), retry("B", 0)), resolve(publish(), retry("A", 0)));
        try (RetiredDeliveries deliveries = jdbc().retiredDeliveries()) {
            assertThat(deliveries.count("A", 4)).isEqualTo(new RetiredDeliveries.Count(2, true));
            assertThat(deliveries.count("A", 3)).isEqualTo(new RetiredDeliveries.Count(2, false));
            assertThat(deliveries.count("A", 1).found()
                            + deliveries.count("B", 1).found())
                    .as("only one was read")
                    .isEqualTo(1);
            assertThat(deliveries.count("nobody", 4)).isEqualTo(new RetiredDeliveries.Count(0, true));
        }
    }

    /** A preview that finds nothing must not read a backlog to its end. */
    @Test
    default void a_search_for_any_ends_after_so_many_deliveries_of_whatever_handler() throws Exception {
        store().handlers()
                .register(List.of(
                        StoreContract.handler("order.placed", "A"), StoreContract.handler("order.placed", "B")));
        for (int i = 0; i < 5; i++) {
            write(resolve(publish(), retry("A", 0)));
        }
        write(resolve(publish(), retry("B", 0)));
        try (RetiredDeliveries deliveries = jdbc().retiredDeliveries(2)) {
            assertThat(deliveries.anyFound("B", 100)).as("in use").isFalse();
            deliveries.retire("order.placed", "B", ChangeRecorder.NONE);
            assertThat(deliveries.anyFound("B", 4)).as("two steps of two").isFalse();
            assertThat(deliveries.anyFound("B", 5)).isTrue();
            assertThat(deliveries.anyFound("B", 100)).isTrue();
        }
    }

    @Test
    default void deliveries_of_a_handler_of_any_type_are_dropped_once_it_is_retired() {
        store().handlers().register(List.of(StoreContract.handler(HandlerKey.ANY_TYPE, "A")));
        write(resolve(publish(), retry("A", 0)));
        try (RetiredDeliveries deliveries = jdbc().retiredDeliveries()) {
            assertThat(deliveries.find("A", null, 10)).isEmpty();
            assertThat(deliveries.retire(HandlerKey.ANY_TYPE, "A", ChangeRecorder.NONE))
                    .isTrue();
            List<RetiredDelivery> waiting = deliveries.find("A", null, 10);
            assertThat(waiting).hasSize(1);
            assertThat(deliveries.drop(waiting.get(0), ChangeRecorder.NONE))
                    .isEqualTo(RetiredDeliveries.Result.DROPPED);
        }
        assertThat(jdbc().messageRows()).isZero();
        assertThat(store().reads().waits(List.of(LANE))).isEmpty();
    }

    @Test
    default void what_a_handler_of_any_type_would_still_get_is_not_dropped() {
        store().handlers().register(List.of(StoreContract.handler("order.placed", "A")));
        write(resolve(publish(), retry("A", 0)));
        try (RetiredDeliveries deliveries = jdbc().retiredDeliveries()) {
            assertThat(deliveries.retire("order.placed", "A", ChangeRecorder.NONE))
                    .isTrue();
            RetiredDelivery waiting = deliveries.find("A", null, 10).get(0);
            store().handlers().register(List.of(StoreContract.handler(HandlerKey.ANY_TYPE, "A")));
            assertThat(deliveries.find("A", null, 10)).isEmpty();
            assertThat(deliveries.drop(waiting, ChangeRecorder.NONE)).isEqualTo(RetiredDeliveries.Result.GONE);
        }
        assertThat(dueGroups()).containsExactly("A");
    }

    @Test
    default void what_a_handler_that_observes_fewer_types_has_lost_is_dropped_and_the_rest_is_kept() {
        store().handlers()
                .register(List.of(
                        StoreContract.handler(HandlerKey.ANY_TYPE, "A"), StoreContract.handler("order.placed", "A")));
        MessageHead kept = publish();
        MessageHead lost = bench().publish(Draft.inLane(LANE).type("order.shipped"));
        write(resolve(kept, retry("A", 0)), resolve(lost, retry("A", 0)));
        try (RetiredDeliveries deliveries = jdbc().retiredDeliveries()) {
            assertThat(deliveries.retire("order.shipped", "A", ChangeRecorder.NONE))
                    .as("it is not registered for that type")
                    .isFalse();
            assertThat(deliveries.find("A", null, 10)).isEmpty();

            assertThat(deliveries.retire(HandlerKey.ANY_TYPE, "A", ChangeRecorder.NONE))
                    .isTrue();
            assertThat(deliveries.registrations("A"))
                    .isEqualTo(Map.of(HandlerKey.ANY_TYPE, true, "order.placed", false));
            List<RetiredDelivery> waiting = deliveries.find("A", null, 10);
            assertThat(waiting).extracting(RetiredDelivery::messageId).containsExactly(lost.id());
            assertThat(deliveries.drop(waiting.get(0), ChangeRecorder.NONE))
                    .isEqualTo(RetiredDeliveries.Result.DROPPED);
        }
        assertThat(dueGroups()).containsExactly("A");
        assertThat(jdbc().messageRows()).isEqualTo(1);
    }

    @Test
    default void what_waits_for_the_first_handler_of_its_type_is_not_dropped() {
        MessageHead head = publish();
        write(resolve(head, new Resolution.Retry(LaneWait.NO_HANDLER, LaneWait.NO_HANDLER, 0, "no handler", 0)));
        try (RetiredDeliveries deliveries = jdbc().retiredDeliveries()) {
            assertThat(deliveries.find(LaneWait.NO_HANDLER, null, 10)).isEmpty();
            RetiredDelivery waiting = new RetiredDelivery(
                    head.id(),
                    head.seq(),
                    StoreContract.laneOf(LaneWait.NO_HANDLER),
                    LaneWait.NO_HANDLER,
                    "order.placed",
                    "order",
                    "o-7");
            assertThat(deliveries.drop(waiting, ChangeRecorder.NONE)).isEqualTo(RetiredDeliveries.Result.GONE);
        }
        assertThat(dueGroups()).containsExactly(LaneWait.NO_HANDLER);
    }

    @Test
    default void what_was_replayed_for_a_handler_whose_registration_was_removed_is_dropped() throws Exception {
        store().handlers().register(List.of(StoreContract.handler("order.placed", "A")));
        MessageHead head = publish();
        write(resolve(head, dead("A")));
        try (RetiredDeliveries deliveries = jdbc().retiredDeliveries()) {
            assertThat(deliveries.retire("order.placed", "A", ChangeRecorder.NONE))
                    .isTrue();
            RetiredHandlers handlers = new RetiredHandlers(jdbc().dialect(), jdbc().prefix());
            List<HandlerKey> unused = handlers.dryRun(jdbc().admin).orElseThrow();
            assertThat(unused).hasSize(1);
            assertThat(handlers.remove(jdbc().admin, unused.get(0), (jdbc, removed) -> {}))
                    .isTrue();
            assertThat(bench().replay(head.id(), "A")).isTrue();
            write(resolve(ready().get(0), retry("A", 0)));
            List<RetiredDelivery> waiting = deliveries.find("A", null, 10);
            assertThat(waiting).hasSize(1);
            assertThat(deliveries.drop(waiting.get(0), ChangeRecorder.NONE))
                    .isEqualTo(RetiredDeliveries.Result.DROPPED);
        }
        assertThat(jdbc().messageRows()).isZero();
    }
}

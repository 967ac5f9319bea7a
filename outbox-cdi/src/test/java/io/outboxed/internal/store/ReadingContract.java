package io.outboxed.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.store.StoreFixture.Draft;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a relay sees. */
interface ReadingContract extends StoreContract {
    @Test
    default void ready_rows_are_read_above_the_mark_in_order_over_several_shards() {
        MessageHead first = publish();
        MessageHead other = bench().publish(Draft.inLane(8));
        MessageHead second = publish();
        MessageHead third = publish();
        assertThat(first.version()).isZero();
        assertThat(first.shard()).isEqualTo(SHARD);
        assertThat(store().reads().ready(List.of(new ReadWindow(8, 0, 10), new ReadWindow(SHARD, first.seq(), 1))))
                .extracting(StoreFixture::withoutBody)
                .containsExactly(other, second);
        assertThat(ready()).containsExactly(first, second, third);
        assertThat(store().reads().ready(List.of())).isEmpty();
    }

    @Test
    default void a_sweep_reads_what_a_read_of_the_same_windows_would() {
        MessageHead first = publish();
        bench().publish(Draft.inLane(LANE + 64));
        bench().publish(Draft.inLane(9));
        bench().publish(Draft.inLane(8));
        publish();
        MessageHead split = publish();
        write(StoreContract.resolve(split, StoreContract.retry("ship", HOUR)));
        List<ReadWindow> windows = List.of(
                new ReadWindow(10, 0, 10),
                new ReadWindow(9, 0, 10),
                new ReadWindow(8, 0, 10),
                new ReadWindow(SHARD, first.seq(), 10, List.of(LANE + 64)));

        assertThat(store().reads().sweep(windows))
                .hasSize(3)
                .isEqualTo(store().reads().ready(windows));
        assertThat(store().reads().sweep(windows.subList(3, 4))).hasSize(1);
        assertThat(store().reads().sweep(List.of())).isEmpty();
    }

    @Test
    default void a_sweep_of_a_backlog_reads_each_shard_up_to_its_limit() {
        MessageHead first = publish();
        MessageHead second = publish();
        publish();
        MessageHead other = bench().publish(Draft.inLane(8));
        bench().publish(Draft.inLane(8));

        assertThat(store().reads().sweep(List.of(new ReadWindow(8, 0, 1), new ReadWindow(SHARD, 0, 2))))
                .extracting(MessageHead::id)
                .containsExactly(first.id(), second.id(), other.id());
    }

    @Test
    default void lanes_are_read_a_page_of_each_in_order() {
        MessageHead first = publish();
        MessageHead other = bench().publish(Draft.inLane(LANE + 64));
        MessageHead second = publish();
        publish();
        bench().publish(Draft.inLane(LANE + 128));

        assertThat(store().reads().lanes(List.of(LANE + 64, LANE), 2))
                .extracting(MessageHead::id)
                .containsExactly(first.id(), other.id(), second.id());
        assertThat(store().reads().lanes(List.of(), 2)).isEmpty();
    }

    @Test
    default void windows_leave_out_lanes() {
        MessageHead first = publish();
        bench().publish(Draft.inLane(LANE + 64));
        bench().publish(Draft.inLane(LANE - 128));
        MessageHead last = publish();
        MessageHead other = bench().publish(Draft.inLane(8));

        assertThat(store().reads()
                        .ready(List.of(
                                new ReadWindow(SHARD, 0, 2, List.of(LANE + 64, LANE - 128)), new ReadWindow(8, 0, 2))))
                .extracting(MessageHead::id)
                .containsExactly(first.id(), last.id(), other.id());
        assertThat(store().reads().ready(List.of(new ReadWindow(SHARD, 0, 9, List.of(LANE)))))
                .hasSize(2);
    }

    @Test
    default void a_delayed_row_says_so_until_the_delay_has_passed() {
        assertThat(bench().publish(Draft.inLane(LANE).delay(HOUR)).delayed()).isTrue();
        assertThat(bench().publish(Draft.inLane(LANE)).delayed()).isFalse();
    }

    @Test
    default void a_row_is_startable_if_its_delay_has_passed_and_no_transaction_has_locked_it() {
        MessageHead delayed = bench().publish(Draft.inLane(LANE).delay(HOUR));
        MessageHead due = publish();
        MessageHead held = publish();
        MessageHead gone = publish();
        deliver(gone, "A", AckMode.DELETE_MESSAGE);
        try (StoreFixture.Delivery delivery = bench().begin()) {
            delivery.claim(held);
            assertThat(store().reads().startable(List.of(delayed, due, held, gone)))
                    .containsExactly(due.id());
        }
        assertThat(store().reads().startable(List.of(delayed, due, held, gone)))
                .containsExactlyInAnyOrder(due.id(), held.id());
        assertThat(store().reads().startable(List.of())).isEmpty();
    }

    @Test
    default void bodies_come_with_exact_text() {
        String text = "{\"n\":12345678901234567890.12345678901234567890,\"t\":\"a\\u0000\u00e9\u4e2d\uD83D\uDE00 \"}";
        MessageHead head = bench().publish(Draft.inLane(LANE).payload(text));
        assertThat(store().reads().bodies(List.of(head.seq(), head.seq() + 1000)))
                .singleElement()
                .satisfies(body -> {
                    assertThat(body.text()).isEqualTo(text);
                    assertThat(body.bytes()).isNull();
                    assertThat(body.id()).isEqualTo(head.id());
                });
        assertThat(store().reads().bodies(List.of())).isEmpty();
    }

    @Test
    default void a_small_body_is_read_along_with_its_head_and_a_large_one_is_not() {
        MessageHead small =
                bench().publish(Draft.inLane(LANE).payload("\"" + "s".repeat(MessageHead.BODY_READ_ALONG - 2) + "\""));
        MessageHead large =
                bench().publish(Draft.inLane(LANE).payload("\"" + "l".repeat(MessageHead.BODY_READ_ALONG - 1) + "\""));

        List<MessageHead> read = store().reads().ready(List.of(new ReadWindow(SHARD, 0, 10)));

        assertThat(read).extracting(MessageHead::id).containsExactly(small.id(), large.id());
        assertThat(read.get(0).body())
                .isEqualTo(store().reads().bodies(List.of(small.seq())).get(0));
        assertThat(read.get(1).body()).isNull();
        assertThat(read)
                .extracting(MessageHead::aggregateType)
                .containsOnly(read.get(0).body().aggregateType())
                .doesNotContain("");
    }
}

package io.outboxed.internal.capture;

import static io.outboxed.internal.capture.WeldDeployment.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.AggregateId;
import io.outboxed.EventType;
import io.outboxed.Outboxed;
import io.outboxed.Payload;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.Entity;
import jakarta.transaction.Transactional;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class OutboxedMethodsExtensionTest {
    @EventType("order.placed")
    public record Placed(@AggregateId String id) {}

    @EventType("order.placed")
    public record PlacedAgain(String id) {}

    public record Nameless(String id) {}

    @EventType("bad name")
    public record BadlyNamed(String id) {}

    @EventType("bad basket")
    public record Basket(List<Placed> items) implements Iterable<Placed> {
        @Override
        public Iterator<Placed> iterator() {
            return items.iterator();
        }
    }

    @EventType("hidden")
    record Hidden(String id) {}

    @EventType("two.ids")
    public record TwoIds(@AggregateId String a, @AggregateId String b) {}

    public sealed interface OrderEvent permits Placed2, Nameless2 {}

    @EventType("order.two")
    public record Placed2(String id) implements OrderEvent {}

    public record Nameless2(String id) implements OrderEvent {}

    @Entity
    @EventType("order.row")
    public static class Row {}

    public interface Anything {}

    /** Its elements are events. */
    public record Page<T, I>(List<T> rows, I next) implements Iterable<T> {
        @Override
        public Iterator<T> iterator() {
            return rows.iterator();
        }
    }

    /** Its subclasses are events. */
    public interface Change extends Iterable<String> {}

    @ApplicationScoped
    public static class Fine {
        @Outboxed
        @Transactional
        public Placed one() {
            return null;
        }

        @Outboxed
        public Optional<Placed> perhaps() {
            return null;
        }

        @Outboxed
        public Page<Placed, Long> page() {
            return null;
        }

        @Outboxed
        public Optional<Change> change() {
            return null;
        }

        @Outboxed
        public List<? extends Anything> some() {
            return null;
        }

        @Outboxed
        public Placed[] array() {
            return null;
        }

        @Outboxed
        public Object anything() {
            return null;
        }

        @Outboxed
        public <T extends Anything> T generic() {
            return null;
        }

        @Outboxed
        public void given(@Payload List<Placed> events, @AggregateId String id) {}

        @Outboxed
        public Row entity() {
            return null;
        }

        @Outboxed(serialize = true)
        public Placed serialized(@AggregateId long id) {
            return null;
        }

        public void unconcerned() {}
    }

    @ApplicationScoped
    public static class Wrong {
        @Outboxed
        public void nothing() {}

        @Outboxed
        public void twice(@Payload Placed a, @Payload Placed b) {}

        @Outboxed
        public Placed both(@Payload Placed a) {
            return a;
        }

        @Outboxed
        public Nameless nameless() {
            return null;
        }

        @Outboxed
        public List<String> texts() {
            return null;
        }

        @Outboxed
        public byte[] bytes() {
            return null;
        }

        @Outboxed
        public int number() {
            return 0;
        }

        @Outboxed
        public Optional<List<Placed>> nested() {
            return null;
        }

        @Outboxed
        public Placed[][] rows() {
            return null;
        }

        @Outboxed
        public Map<String, Placed> byName() {
            return null;
        }

        @Outboxed
        public void ofArray(@AggregateId byte[] digest, @Payload Placed a) {}

        @Outboxed
        public CompletableFuture<Placed> later() {
            return null;
        }

        @Outboxed
        public OrderEvent sealed() {
            return null;
        }

        @Outboxed
        public BadlyNamed badlyNamed() {
            return null;
        }

        @Outboxed
        public Basket basket() {
            return null;
        }

        @Outboxed
        public Hidden hidden() {
            return null;
        }

        @Outboxed
        public TwoIds twoIds() {
            return null;
        }

        @Outboxed
        public void twoAggregates(@Payload Placed a, @AggregateId String b, @AggregateId String c) {}

        @Outboxed
        @Transactional(Transactional.TxType.NOT_SUPPORTED)
        public Placed suspended() {
            return null;
        }

        @Outboxed
        private Placed secret() {
            return null;
        }

        @Outboxed
        public static Placed shared() {
            return null;
        }

        @Outboxed
        public PlacedAgain sameType() {
            return null;
        }

        @Outboxed(serialize = true)
        public Placed2 ofUnknown(String id) {
            return null;
        }

        @Outboxed(serialize = true)
        public Placed2 ofTwo(@AggregateId String a, @AggregateId String b) {
            return null;
        }
    }

    @Test
    void methods_that_can_work_are_deployed() {
        assertThat(refusal(Fine.class)).isNull();
    }

    @Test
    void everything_that_cannot_work_is_reported_in_one_message_with_its_method() {
        String name = Wrong.class.getName();
        assertThat(refusal(Wrong.class))
                .contains("OUTBOX-0120 24 problems with @Outboxed methods; nothing was deployed:")
                .contains("OUTBOX-0125 " + name + ".nothing() returns nothing")
                .contains("OUTBOX-0124 " + name + ".twice(Placed, Placed) has 2 @Payload parameters")
                .contains("OUTBOX-0126 " + name + ".both(Placed) returns a value and has a @Payload")
                .contains("OUTBOX-0129 " + name + ".nameless() returns " + Nameless.class.getName())
                .contains("OUTBOX-0129 " + name + ".texts() returns java.lang.String, which has no event type")
                .contains("OUTBOX-0129 " + name + ".bytes() returns byte[]")
                .contains("OUTBOX-0129 " + name + ".number() returns int")
                .contains("OUTBOX-0129 " + name + ".nested() returns java.util.Optional<java.util.List<")
                .contains("and a List is no event")
                .contains("OUTBOX-0129 " + name + ".rows() returns " + Placed.class.getName() + "[][]")
                .contains("OUTBOX-0129 " + name + ".byName() returns java.util.Map<")
                .contains("OUTBOX-0136 " + name + ".ofArray(byte[], Placed) has an array as its @AggregateId")
                .contains("OUTBOX-0127 " + name + ".later() returns CompletableFuture")
                .contains("OUTBOX-0129 " + name + ".sealed() returns " + Nameless2.class.getName())
                .contains("OUTBOX-0128 " + name + ".badlyNamed() returns")
                .contains("OUTBOX-0128 " + name + ".basket() returns " + Basket.class.getName()
                        + ", whose @EventType is invalid")
                .contains(
                        "OUTBOX-0130 " + name + ".hidden() returns " + Hidden.class.getName() + ", which is not public")
                .contains("OUTBOX-0128 " + name + ".twoIds() returns")
                .contains("OUTBOX-0124 " + name + ".twoAggregates(Placed, String, String) has 2 @AggregateId")
                .contains("OUTBOX-0124 " + name + ".ofTwo(String, String) has 2 @AggregateId parameters")
                .contains("OUTBOX-0132 " + name + ".ofUnknown(String) is @Outboxed(serialize = true), but has no"
                        + " @AggregateId parameter")
                .contains("OUTBOX-0122 " + name + ".suspended() is @jakarta.transaction.Transactional(NOT_SUPPORTED)")
                .contains("OUTBOX-0121 " + name + ".secret() is private")
                .contains("OUTBOX-0121 " + name + ".shared() is static")
                .containsOnlyOnce("OUTBOX-0131")
                .contains("OUTBOX-0131 " + name + ".sameType() returns " + PlacedAgain.class.getName()
                        + " with the event type order.placed, which already belongs to " + Placed.class.getName());
    }
}

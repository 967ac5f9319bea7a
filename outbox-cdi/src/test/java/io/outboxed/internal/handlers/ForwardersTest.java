package io.outboxed.internal.handlers;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.OutboxMessage;
import io.outboxed.internal.relay.Delivery;
import io.outboxed.internal.relay.HandlerInvoker;
import io.outboxed.internal.relay.HandlerMode;
import io.outboxed.internal.relay.Outcome;
import io.outboxed.internal.store.HandlerKey;
import io.outboxed.internal.store.cluster.Lease;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class ForwardersTest {
    private static final HandlerKey SENDER = new HandlerKey("order.placed", "sender");

    @Test
    void a_forwarder_says_how_many_deliveries_a_worker_begins_together() {
        try (Deployment deployment = Deployment.of(OneByOne.class)) {
            assertThat(deployment.deliveries().mode(SENDER)).isEqualTo(HandlerMode.FORWARDER);
            assertThat(deployment.deliveries().mostTogether(SENDER)).isEqualTo(1);
        }
        try (Deployment deployment = Deployment.of(Several.class)) {
            assertThat(deployment.deliveries().mostTogether(SENDER)).isEqualTo(HandlerInvoker.MOST_TOGETHER);
        }
    }

    @Test
    void a_delivery_whose_lease_ends_before_anything_is_sent_has_not_begun_and_says_nothing_about_the_receiver() {
        try (Deployment deployment = Deployment.of(TooLate.class)) {
            Delivery delivery = Deployment.delivery(SENDER.type(), SENDER.handler(), "{}");
            Lease lease = new Lease(0, "me", 1);

            assertThat(deployment
                            .deliveries()
                            .begin(delivery, lease, each -> true)
                            .get())
                    .as("as it begins")
                    .isInstanceOf(Outcome.NotBegun.class);
            assertThat(deployment
                            .deliveries()
                            .begin(delivery, lease, each -> false)
                            .get())
                    .as("while it waits")
                    .isInstanceOf(Outcome.NotBegun.class);
        }
    }

    @ApplicationScoped
    public static class TooLate extends Several {
        @Override
        public Callable<Void> begin(OutboxMessage message, Lease lease, Predicate<Lease> isValid) {
            LeaseExpiredException late = new LeaseExpiredException("it has waited too long");
            if (isValid.test(lease)) {
                throw late;
            }
            return () -> {
                throw late;
            };
        }
    }

    @ApplicationScoped
    public static class Several implements Forwarder {
        @Override
        public String handlerName() {
            return "sender";
        }

        @Override
        public Callable<Void> begin(OutboxMessage message, Lease lease, Predicate<Lease> isValid) {
            return () -> null;
        }
    }

    @ApplicationScoped
    public static class OneByOne extends Several {
        @Override
        public int mostTogether() {
            return 1;
        }
    }
}

package io.outboxed.internal.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.outboxed.EventBatch;
import io.outboxed.EventType;
import io.outboxed.Idempotent;
import io.outboxed.OutboxMessage;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionManagement;
import jakarta.ejb.TransactionManagementType;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.event.Observes;
import jakarta.interceptor.InterceptorBinding;
import jakarta.transaction.Transactional;
import jakarta.transaction.Transactional.TxType;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.function.Consumer;
import org.eclipse.microprofile.faulttolerance.Fallback;
import org.eclipse.microprofile.faulttolerance.Retry;
import org.jboss.weld.environment.se.Weld;
import org.junit.jupiter.api.Test;

class IdempotentMethodsExtensionTest {

    @ApplicationScoped
    public static class Fine {
        @Idempotent
        @Transactional(TxType.REQUIRES_NEW)
        void book(@Idempotent.Id String id) {}
    }

    public static class Base {
        @Idempotent
        public void handle(@Idempotent.Id String id) {}
    }

    @ApplicationScoped
    public static class Overriding extends Base {
        @Override
        @Idempotent
        public void handle(@Idempotent.Id String id) {}
    }

    @ApplicationScoped
    public static class Generic implements Consumer<String> {
        @Override
        @Idempotent
        public void accept(@Idempotent.Id String id) {}
    }

    @Dependent
    public static class Wrong {
        @Idempotent
        public int count() {
            return 1;
        }

        @Idempotent
        private void hidden() {}

        @Idempotent
        static void shared() {}

        @Idempotent
        @Transactional(TxType.NOT_SUPPORTED)
        public void outside() {}

        @Idempotent
        public void twice(@Idempotent.Id String one, @Idempotent.Id String other) {}

        @Idempotent
        public void ofArray(@Idempotent.Id byte[] digest) {}

        @Idempotent
        public void overloaded(@Idempotent.Id String id) {}

        @Idempotent
        public void overloaded(@Idempotent.Id Long id) {}

        @Idempotent(receiver = "publish:paid")
        public void reserved() {}
    }

    @Dependent
    @Idempotent
    public static class WholeClass {}

    @Idempotent(receiver = "accounts")
    @InterceptorBinding
    @Retention(RetentionPolicy.RUNTIME)
    @Target({ElementType.TYPE, ElementType.METHOD})
    @interface Once {}

    @Dependent
    public static class Composed {
        @Once
        public void book(@Idempotent.Id String id) {}
    }

    @Dependent
    @Once
    public static class ComposedClass {}

    @Once
    @InterceptorBinding
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.METHOD)
    @interface OnceMore {}

    @Dependent
    public static class ComposedTwice {
        @OnceMore
        public void book(@Idempotent.Id String id) {}
    }

    public static class ComposedBase {
        @Once
        public void book(@Idempotent.Id String id) {}
    }

    @Dependent
    public static class OverridingComposed extends ComposedBase {
        @Override
        public void book(String id) {}
    }

    @EventType("paid")
    public record Paid() {}

    @Dependent
    public static class BatchHandler {
        @Idempotent
        void book(@Observes EventBatch<Paid> events) {}
    }

    @Dependent
    @TransactionManagement(TransactionManagementType.BEAN)
    public static class OwnTransactions {
        @Idempotent
        public void book() {}
    }

    @ApplicationScoped
    public static class Retried {
        @Idempotent
        @Retry
        @Transactional
        public void again(@Idempotent.Id String id) {}

        @Idempotent
        @Fallback(fallbackMethod = "later")
        public void book(@Idempotent.Id String id) {}

        public void later(String id) {}
    }

    @Stateless
    public static class RetriedSession {
        @Idempotent
        @Retry
        public void again(@Idempotent.Id String id) {}
    }

    @Dependent
    public static class Handler {
        @Idempotent
        @Retry
        @Fallback(fallbackMethod = "later")
        void book(@Observes Paid event) {}

        void later(Paid event) {}
    }

    @Dependent
    public static class CatchAll {
        @Idempotent
        @Retry
        void book(@Observes OutboxMessage message) {}
    }

    /** Called by the one who fires the event, in his transaction. */
    @Dependent
    public static class OtherObserver {
        @Idempotent
        @Retry
        void book(@Observes @Idempotent.Id String event) {}
    }

    @Test
    void tries_and_fallbacks_that_would_share_the_transaction_of_a_failed_try_are_refused() {
        assertThat(refusal(Retried.class))
                .contains("OUTBOX-0150 2 problems with")
                .contains("OUTBOX-0158 " + Retried.class.getName() + ".again(String) has @Retry")
                .contains("OUTBOX-0158 " + Retried.class.getName() + ".book(String) has @Fallback");
        assertThat(refusal(RetriedSession.class)).contains("OUTBOX-0158");
        assertThat(refusal(OtherObserver.class)).contains("OUTBOX-0158");
        assertThat(refusal(Handler.class, CatchAll.class))
                .as("each try has its own")
                .isNull();
    }

    @Test
    void those_outside_of_the_transaction_are_allowed_but_not_on_session_beans() {
        System.setProperty("mp.fault.tolerance.interceptor.priority", "100");
        try {
            assertThat(refusal(Retried.class)).isNull();
            assertThat(refusal(RetriedSession.class)).contains("OUTBOX-0158");
        } finally {
            System.clearProperty("mp.fault.tolerance.interceptor.priority");
        }
    }

    @Test
    void an_annotation_that_brings_it_along_is_refused_because_nothing_would_read_its_receiver() {
        assertThat(refusal(Composed.class))
                .contains("OUTBOX-0151 " + Composed.class.getName() + " gets @Idempotent by way of @"
                        + Once.class.getName() + ", which is not supported: remove it from @" + Once.class.getName()
                        + ", and put it on individual methods");
        assertThat(refusal(ComposedClass.class)).contains("OUTBOX-0151").contains("@" + Once.class.getName());
        assertThat(refusal(ComposedTwice.class)).contains("OUTBOX-0151").contains("@" + OnceMore.class.getName());
        assertThat(refusal(OverridingComposed.class)).isNull();
    }

    @Test
    void a_handler_of_batches_is_refused_because_a_batch_has_no_id() {
        assertThat(refusal(BatchHandler.class))
                .contains("OUTBOX-0159 " + BatchHandler.class.getName() + ".book(EventBatch) takes an EventBatch");
    }

    @Test
    void valid_methods_are_deployed() {
        assertThat(refusal(Fine.class)).isNull();
    }

    @Test
    void an_overridden_method_and_the_bridge_of_a_generic_one_are_no_methods_of_their_own() {
        assertThat(refusal(Overriding.class)).isNull();
        assertThat(refusal(Generic.class)).isNull();
    }

    @Test
    void all_invalid_methods_are_reported_in_one_message() {
        String name = Wrong.class.getName();
        assertThat(refusal(Wrong.class, WholeClass.class, OwnTransactions.class))
                .contains("OUTBOX-0150 10 problems with @Idempotent methods; nothing was deployed:")
                .contains("OUTBOX-0151 " + WholeClass.class.getName() + " is annotated as a class")
                .contains("OUTBOX-0152 " + name + ".hidden() is private")
                .contains("OUTBOX-0152 " + name + ".shared() is static")
                .contains("OUTBOX-0153 " + name + ".count() returns a value")
                .contains("OUTBOX-0154 " + name + ".outside() is @jakarta.transaction.Transactional(NOT_SUPPORTED)")
                .contains("OUTBOX-0154 " + OwnTransactions.class.getName() + ".book() is in a bean that manages")
                .contains("OUTBOX-0155 " + name + ".twice(String, String) has several")
                .contains("OUTBOX-0155 " + name + ".ofArray(byte[]) has an array")
                .containsPattern("OUTBOX-0157 .*overloaded\\((String|Long)\\) has the same receiver")
                .contains("OUTBOX-0156 " + name + ".reserved() has an invalid receiver: OUTBOX-0142");
    }

    /** The message that the deployment failed with, null if it did not. */
    private static String refusal(Class<?>... beans) {
        Throwable failure = catchThrowable(() -> new Weld()
                .disableDiscovery()
                .extensions(new IdempotentMethodsExtension())
                .addBeanClasses(beans)
                .initialize()
                .close());
        return failure == null ? null : failure.getMessage();
    }
}

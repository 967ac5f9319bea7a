package io.outboxed.internal.capture;

import static io.outboxed.internal.capture.WeldDeployment.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.Outboxed;
import io.outboxed.internal.capture.OutboxedMethodsExtensionTest.Placed;
import io.outboxed.internal.capture.OutboxedMethodsExtensionTest.PlacedAgain;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.ejb.TransactionManagement;
import jakarta.ejb.TransactionManagementType;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.event.Observes;
import jakarta.transaction.Transactional;
import org.eclipse.microprofile.faulttolerance.Fallback;
import org.eclipse.microprofile.faulttolerance.Retry;
import org.junit.jupiter.api.Test;

/** Methods that store nothing, or a wrong thing, because of their transaction or of Fault Tolerance. */
class OutboxedTransactionsTest {
    @Dependent
    @TransactionManagement(TransactionManagementType.BEAN)
    public static class OwnTransactions {
        @Outboxed
        public Placed place() {
            return null;
        }
    }

    @TransactionAttribute(TransactionAttributeType.NEVER)
    public static class SuspendingBase {
        @Outboxed
        public Placed place() {
            return null;
        }
    }

    @Dependent
    public static class Inheriting extends SuspendingBase {}

    public static class PlainBase {
        @Outboxed
        public Placed place() {
            return null;
        }
    }

    @Dependent
    @TransactionAttribute(TransactionAttributeType.NEVER)
    public static class Suspending extends PlainBase {}

    @Dependent
    public static class FallingBack {
        @Outboxed
        @Fallback(fallbackMethod = "instead")
        public Placed place() {
            return null;
        }

        public Placed instead() {
            return null;
        }
    }

    /** Fault Tolerance is inside of a transaction that the method or its caller has begun. */
    @Dependent
    public static class Retried {
        @Outboxed
        @Retry
        @Transactional
        public Placed own() {
            return null;
        }

        @Outboxed
        @Retry
        public Placed ofTheCaller() {
            return null;
        }
    }

    @Stateless
    @Outboxed
    @Retry
    public static class RetriedSession {
        public Placed place() {
            return null;
        }
    }

    /** Called by the one who fires the event, in his transaction. */
    @Dependent
    public static class RetriedObserver {
        @Outboxed
        @Retry
        public Placed place(@Observes String event) {
            return null;
        }
    }

    @Dependent
    public static class RetriedHandler {
        @Outboxed
        @Retry
        public Placed handle(@Observes PlacedAgain event) {
            return null;
        }
    }

    @Test
    void a_bean_that_ends_its_transactions_itself_is_refused() {
        assertThat(refusal(OwnTransactions.class))
                .contains("OUTBOX-0123 " + OwnTransactions.class.getName() + ".place() is in a bean that manages");
    }

    @Test
    void the_transaction_attribute_of_a_class_applies_to_the_methods_that_it_declares() {
        assertThat(refusal(Inheriting.class))
                .contains("OUTBOX-0122 " + SuspendingBase.class.getName()
                        + ".place() is @jakarta.ejb.TransactionAttribute(NEVER)");
        assertThat(refusal(Suspending.class)).isNull();
    }

    @Test
    void a_fallback_whose_value_would_not_be_stored_is_refused() {
        assertThat(refusal(FallingBack.class))
                .contains("OUTBOX-0120 1 problem with")
                .contains("OUTBOX-0133 " + FallingBack.class.getName() + ".place() has @Fallback");
    }

    @Test
    void retries_that_would_share_one_transaction_are_refused() {
        assertThat(refusal(Retried.class))
                .contains("OUTBOX-0120 2 problems with")
                .contains("OUTBOX-0134 " + Retried.class.getName() + ".own() has @Retry")
                .contains("OUTBOX-0134 " + Retried.class.getName() + ".ofTheCaller() has @Retry");
        assertThat(refusal(RetriedSession.class))
                .contains("OUTBOX-0134 " + RetriedSession.class.getName() + ".place() has @Retry");
        assertThat(refusal(RetriedObserver.class)).contains("OUTBOX-0134");
    }

    @Test
    void retries_of_a_handler_have_a_transaction_each_and_are_allowed() {
        assertThat(refusal(RetriedHandler.class)).isNull();
    }

    @Test
    void retries_outside_of_the_transaction_are_allowed_but_not_on_session_beans() {
        System.setProperty("mp.fault.tolerance.interceptor.priority", "100");
        try {
            assertThat(refusal(Retried.class)).isNull();
            assertThat(refusal(RetriedSession.class)).contains("OUTBOX-0134");
        } finally {
            System.clearProperty("mp.fault.tolerance.interceptor.priority");
        }
    }
}

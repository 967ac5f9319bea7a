package io.outboxed.it.handlers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.it.handlers.Events.Created;
import io.outboxed.it.handlers.Events.First;
import io.outboxed.it.handlers.Events.Flushed;
import io.outboxed.it.handlers.Events.Hopeless;
import io.outboxed.it.handlers.Events.Joined;
import io.outboxed.it.handlers.Events.Keyed;
import io.outboxed.it.handlers.Events.Marked;
import io.outboxed.it.handlers.Events.Outside;
import io.outboxed.it.handlers.Events.Quick;
import io.outboxed.it.handlers.Events.Repeated;
import io.outboxed.it.handlers.Events.RolledBack;
import io.outboxed.it.handlers.Events.Session;
import io.outboxed.it.handlers.Events.Two;
import io.outboxed.it.handlers.Notes.Call;
import io.outboxed.shop.ServerExtension;
import io.outboxed.shop.WarUnderTest;
import jakarta.inject.Inject;
import jakarta.transaction.Status;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Each kind of handler, called by the relay itself. A row remains only if its transaction was committed. */
@ExtendWith({ServerExtension.class, ArquillianExtension.class})
class HandlersIT {

    @Inject
    BeanHandlers handlers;

    @Inject
    Notes notes;

    @Deployment
    static WebArchive war() throws URISyntaxException {
        return WarUnderTest.withAssertions().addPackage(HandlersIT.class.getPackage());
    }

    @BeforeEach
    void createTable() {
        notes.createTable();
    }

    @Test
    void each_try_of_fault_tolerance_is_a_new_transaction_inside_one_delivery() {
        deliver(new Quick("q"));
        assertThat(notes.callsOf("quick"))
                .extracting(Call::transaction)
                .hasSize(3)
                .doesNotHaveDuplicates();
        assertThat(notes.callsOf("quick")).extracting(Call::status).containsOnly(Status.STATUS_ACTIVE);
        assertThat(notes.rowsOf("quick")).containsExactly(3);
        assertThat(notes.rowsOf("hidden")).containsExactly(2);
    }

    @Test
    void a_fallback_ends_a_delivery_whose_tries_are_rolled_back() {
        deliver(new Hopeless("h"));
        assertThat(notes.rowsOf("falls")).isEmpty();
        assertThat(notes.callsOf("falls")).hasSize(2);
        assertThat(notes.rowsOf("instead")).containsExactly(1);
    }

    @Test
    void a_handler_with_its_own_transactional_acknowledges_in_that_transaction() {
        deliver(new Joined("j"));
        assertThat(notes.rowsOf("joined")).containsExactly(2);
        assertThat(notes.rowsOf("joinedChecked")).containsExactly(2);
        assertThat(notes.rowsOf("mandatory")).containsExactly(2);
        assertThat(notes.rowsOf("beanSupports")).containsExactly(2);
    }

    @Test
    void a_bean_that_is_created_for_each_call_can_have_handlers() {
        deliver(new Created("d"));
        assertThat(notes.rowsOf("dependent")).containsExactly(2);
        assertThat(notes.rowsOf("dependentHidden")).containsExactly(2);
    }

    @Test
    void session_beans_are_handlers_with_their_own_rules() {
        deliver(new Session("s"));
        assertThat(notes.rowsOf("required")).containsExactly(2);
        assertThat(notes.rowsOf("ejbMandatory")).containsExactly(2);
        assertThat(notes.rowsOf("supports")).containsExactly(2);
        assertThat(notes.rowsOf("requiresNew")).containsExactly(1);
        assertThat(notes.rowsOf("ownTransaction")).containsExactly(1);
        assertThat(notes.rowsOf("notSupported")).containsExactly(1);
        assertThat(notes.callsOf("notSupported"))
                .extracting(Call::status)
                .containsExactly(Status.STATUS_NO_TRANSACTION);
    }

    @Test
    void outside_handlers_run_without_a_transaction_of_the_delivery() {
        deliver(new Outside("o"));
        assertThat(notes.rowsOf("outside")).containsExactly(1);
        assertThat(notes.rowsOf("inNewTransaction")).containsExactly(1);
        assertThat(notes.callsOf("outside")).extracting(Call::status).containsExactly(Status.STATUS_NO_TRANSACTION);
        assertThat(notes.callsOf("inNewTransaction")).extracting(Call::status).containsExactly(Status.STATUS_ACTIVE);
    }

    @Test
    void work_that_was_silently_rolled_back_is_not_committed() {
        deliver(new RolledBack("x"));
        assertThat(notes.rowsOf("rolledBack")).containsExactly(2);
    }

    @Test
    void a_transaction_marked_for_rollback_is_a_failed_try() {
        deliver(new Marked("m"));
        assertThat(notes.rowsOf("marked")).containsExactly(2);
    }

    @Test
    void a_failure_at_the_end_of_the_transaction_is_a_failed_try() {
        deliver(new Flushed("l"));
        assertThat(notes.rowsOf("flushed")).containsExactly(2);
    }

    @Test
    void a_handler_that_gives_up_neither_repeats_nor_stops_the_other() {
        deliver(new Two("t"));
        assertThat(notes.callsOf("gives")).hasSize(1);
        assertThat(notes.rowsOf("gives")).isEmpty();
        assertThat(notes.attemptsOfDead("BeanHandlers.gives")).containsExactly(1);
        assertThat(notes.rowsOf("succeeds")).containsExactly(1);
    }

    @Test
    void an_event_that_a_handler_publishes_is_stored_once() {
        deliver(new First("1"));
        assertThat(notes.rowsOf("first")).containsExactly(2);
        assertThat(notes.rowsOf("second")).containsExactly(1);
    }

    @Test
    void effects_of_a_repeated_delivery_exist_once() {
        deliver(new Repeated("r"));
        assertThat(notes.callsOf("repeated")).hasSize(3);
        assertThat(notes.rowsOf("byHand")).containsExactly(1);
        assertThat(notes.callsOf("byHand")).hasSize(1);
        assertThat(notes.rowsOf("annotated")).containsExactly(1);
        assertThat(notes.callsOf("annotated")).hasSize(1);
        assertThat(notes.rowsOf("apartOnce"))
                .as("what was rolled back runs again, also if that was silent")
                .containsExactly(3);
    }

    @Test
    void of_several_events_with_one_key_the_first_to_commit_is_delivered() {
        assertThatThrownBy(() -> handlers.publishOnceAndFail(new Keyed("k"), "key"))
                .hasMessageContaining("rolled back");
        assertThatThrownBy(() -> handlers.publishOnceAndLose(new Keyed("k"), "key"))
                .as("the database has silently rolled back its key")
                .isInstanceOf(Exception.class);
        assertThat(notes.rowsOf("lost")).isEmpty();
        UUID first = handlers.publishOnce(new Keyed("k"), "key");
        assertThat(handlers.publishOnce(new Keyed("k"), "key")).isEqualTo(first);
        awaitEmpty();
        assertThat(notes.rowsOf("keyed")).containsExactly(1);
    }

    /** Publishes and waits until all handlers are done. */
    private void deliver(Object event) {
        handlers.publish(event);
        awaitEmpty();
    }

    private void awaitEmpty() {
        long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (notes.pending() > 0) {
            assertThat(System.nanoTime()).as("the outbox is empty within 60 s").isLessThan(deadline);
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
    }
}

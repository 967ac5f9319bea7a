package io.outboxed.testkit;

import io.outboxed.DeadLetter;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * The outbox as a test sees it. The relay behind it is the real one, on a real database.
 *
 * <p>There are two kinds. Under {@link OutboxTest} there is no server: nothing is delivered until the test calls {@link
 * #drain} or {@link #await}, and then one call at a time, on one other thread. Inside a server the running relay
 * delivers with its own threads, and these methods wait for it; the test injects this interface from a deployment that
 * contains the kit's jar.
 *
 * <p>Methods may be called with or without a transaction, by the test's thread only. They take part in no transaction,
 * except {@link #uncommitted}. A database that fails them ends in an {@link IllegalStateException} with its error.
 */
public interface OutboxTester {

    /**
     * Delivers all that is ready, for at most ten seconds. See {@link #drain(Duration)}.
     *
     * @throws AssertionError if something is still ready; the message lists it
     */
    default void drain() {
        drain(Duration.ofSeconds(10));
    }

    /**
     * Delivers all that is ready: committed events and retries that are due, with all that their handlers publish in
     * turn. What waits for its time stays: retries, delayed events, events of a type without a handler, what is paused,
     * and events behind a dead letter that blocks. Failures of handlers are not thrown; see {@link #calls()} and {@link
     * #deadLetters()}.
     *
     * @param limit how long this may take, in real time
     * @throws AssertionError if something is still ready after this time; the message lists all that is left, and where
     *     a running handler is
     */
    void drain(Duration limit);

    /**
     * Waits for one event, for at most ten seconds. See {@link #await(UUID, Duration)}.
     *
     * @param messageId the id that {@code Outbox.publish} returned
     * @throws AssertionError if the event is not committed, or a handler has neither succeeded nor given up
     */
    default void await(UUID messageId) {
        await(messageId, Duration.ofSeconds(10));
    }

    /**
     * Waits until each handler of this event has succeeded or given up. Without a server, time does not pass meanwhile:
     * if a handler waits for its next attempt, this fails at once, and {@link #advance} brings the attempt.
     *
     * @param messageId the id that {@code Outbox.publish} returned
     * @param limit how long this may take, in real time
     * @throws AssertionError if the event is not committed (inside a server only noticed with {@code
     *     outbox.on-success=keep}), or a handler has neither succeeded nor given up; the message says why
     */
    void await(UUID messageId, Duration limit);

    /**
     * The committed events of a type, in the order of their storage, delivered or not, without those whose dead letters
     * were discarded. Inside a server, delivered ones are included only with {@code outbox.on-success=keep}, and those of
     * earlier tests are included too.
     *
     * @param type the event class, which has or inherits an {@code @EventType}; events of other classes with that type
     *     are decoded to this one too
     * @param <T> that class
     * @return decoded copies of the events; empty if there are none
     * @throws IllegalArgumentException if the class neither has nor inherits an {@code @EventType}
     */
    <T> List<T> published(Class<T> type);

    /**
     * The events of a type that the calling thread's transaction has published and not committed yet, in the order of
     * their publishing.
     *
     * @param type the event class, which has or inherits an {@code @EventType}; events of other classes with that type
     *     are decoded to this one too
     * @param <T> that class
     * @return decoded copies of the events; empty without a transaction
     * @throws IllegalArgumentException if the class neither has nor inherits an {@code @EventType}
     */
    <T> List<T> uncommitted(Class<T> type);

    /**
     * All calls of handlers, in the order in which they ended. Each test without a server starts with none.
     *
     * @return the calls of this deployment on this node
     */
    List<HandlerCall> calls();

    /**
     * The calls of one handler, in the order in which they ended.
     *
     * @param handler its name, for example {@code Mailer.confirm}
     * @return the calls of this handler
     * @throws IllegalArgumentException if there is no such handler; the message lists those that exist
     */
    List<HandlerCall> calls(String handler);

    /**
     * Checks that the calls of handlers so far kept the order in which the events were published: no handler was called
     * with an event after a handler of the same group had been called with a later event of the same aggregate. A retry
     * is in order while no later event was called, and so is an event that had succeeded in its turn and comes again
     * after a crash. Events without an aggregate and delayed events have no order. The replay of a dead letter that was
     * skipped counts as a new event.
     *
     * @throws AssertionError if a call was out of order; the message names the handlers, the aggregate and both events
     */
    void verifyOrder();

    /**
     * The dead letters in the table, the newest first. Replay and discard them with {@link io.outboxed.DeadLetters}.
     *
     * @return at most 1,000 of them
     */
    List<DeadLetter> deadLetters();

    /**
     * Moves the time forward: every retry, delayed event and other wait of the outbox is due that much earlier, and its
     * creation time stays. Without a server the relay's own pauses and leases follow as well; inside one they do not,
     * and the relay notices at its next poll, within a second. Nothing is delivered yet: call {@link #drain}. The
     * clocks of the application and of the database do not move.
     *
     * @param time by how much, not negative
     * @throws IllegalArgumentException if it is negative
     */
    void advance(Duration time);

    /**
     * Lets the next calls of a handler fail with an exception, instead of calling it. Such a call counts as an attempt.
     * Inside a server, what has not happened at the end of a test happens later.
     *
     * @param handler its name, for example {@code Mailer.confirm}
     * @param calls how many calls, at least one, in addition to those that were requested before
     * @throws IllegalArgumentException if that is less than one, or if there is no such handler; the message lists those
     *     that exist
     */
    void failNext(String handler, int calls);

    /**
     * Lets the process crash during the next call of a handler: after the handler has returned, before its success is
     * recorded. A transactional handler's transaction is rolled back. Then another node takes over and delivers the
     * event again. A call that fails by itself does not reach that point: the crash comes with a later one. Beans
     * keep what is in their fields, as no other node would. Only without a server.
     *
     * @param handler its name, for example {@code Mailer.confirm}
     * @throws IllegalArgumentException if there is no such handler; the message lists those that exist
     * @throws UnsupportedOperationException inside a server, or if a bean injects a persistence unit that is on
     *     another data source or without JTA
     */
    void crashAfter(String handler);

    /**
     * Lets the relay deliver the handler's next event twice, as two nodes would. An outside handler is called twice. A
     * transactional one is not: the second delivery finds the row gone, so only one {@link HandlerCall} exists. Beans keep
     * what is in their fields, as no other node would have it. Inside a server, what has not happened at the end of a
     * test happens later.
     *
     * @param handler its name, for example {@code Mailer.confirm}
     * @throws IllegalArgumentException if there is no such handler; the message lists those that exist
     */
    void deliverTwice(String handler);

    /**
     * Runs this in a new JTA transaction, and commits it. The caller's transaction, if there is one, is suspended.
     *
     * @param work its exception rolls the transaction back and is rethrown
     * @throws IllegalStateException if the transaction could not be begun or committed; the cause says why
     */
    void inTransaction(Runnable work);

    /**
     * Checks that crashes, repeated deliveries and failures do not change what the handlers achieve. First runs the
     * scenario undisturbed and notes the state. Then runs it again for each of its calls of handlers, up to 200, three
     * times: the process crashes after the handler, the event is delivered twice, the first attempt fails. Each run
     * begins with the database as it was after the start, delivers everything including retries, and must end in the
     * same state and with the same dead letters. Only without a server.
     *
     * <p>What beans keep in fields is not reset; the scenario has to do that if the state depends on it.
     *
     * @param scenario calls the application; is run many times
     * @param state what must not change, with a meaningful {@code equals}: for example the rows of a table, without
     *     generated ids and times. A list, set or map is copied, but not what it contains; if another object changes with
     *     the next run, its {@code toString} must show that
     * @throws AssertionError if the state, the dead letters or what is left undelivered differ; the message says at which
     *     call. Also if an event has no handler here. Undelivered is what the scenario has paused, or what waits behind a
     *     dead letter that blocks its aggregate
     * @throws UnsupportedOperationException inside a server, or if a bean injects a persistence unit that is on
     *     another data source or without JTA
     */
    void verifyRedelivery(Runnable scenario, Supplier<?> state);
}

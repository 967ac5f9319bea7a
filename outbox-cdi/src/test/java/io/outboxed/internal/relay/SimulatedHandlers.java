package io.outboxed.internal.relay;

import io.outboxed.PermanentFailureException;
import io.outboxed.internal.store.HandlerKey;
import io.outboxed.internal.store.cluster.HandlerRegistration;
import io.outboxed.spi.FailureClassifier;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;

/** Handlers whose failures are drawn from the simulation's seed; a text says what a message does to them. */
public final class SimulatedHandlers implements HandlerInvoker {
    public static final String POISON = "poison";
    public static final String PERMANENT = "permanent";
    static final String DEFERRED = "deferred";
    /** The database refuses the commit each time, which looks like a lost answer. */
    static final String REFUSED = "refused";

    static final String HALT = "halt";

    /** The handler has killed its JVM. */
    static final class Halted extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /** What the classifier of the simulation defers. */
    static final class DeferredDeliveryException extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private final Map<HandlerKey, HandlerMode> modes;
    private final HandlerMoods moods;
    private final Predicate<String> isDown;
    /** Names of handlers that forward to a receiver. */
    final Set<String> forwarders = new HashSet<>();
    /** There is no memory when the mode of a handler is next asked for. */
    boolean outOfMemory;

    public SimulatedHandlers(Map<HandlerKey, HandlerMode> modes, int failuresPerThousand, Predicate<String> isDown) {
        this(modes, new HandlerMoods(failuresPerThousand, failuresPerThousand / 2, 20, 0), isDown);
    }

    public SimulatedHandlers(Map<HandlerKey, HandlerMode> modes, HandlerMoods moods) {
        this(modes, moods, moods::isDown);
    }

    private SimulatedHandlers(Map<HandlerKey, HandlerMode> modes, HandlerMoods moods, Predicate<String> isDown) {
        this.modes = modes;
        this.moods = moods;
        this.isDown = isDown;
    }

    public static List<HandlerRegistration> registrations(Map<HandlerKey, HandlerMode> modes) {
        return new SimulatedHandlers(modes, 0, handler -> false).registrations();
    }

    @Override
    public Set<HandlerKey> all() {
        return modes.keySet();
    }

    @Override
    public String group(HandlerKey handler) {
        return SimulatedDeployment.group(handler.handler());
    }

    @Override
    public HandlerMode mode(HandlerKey handler) {
        if (outOfMemory) {
            outOfMemory = false;
            throw new OutOfMemoryError("in a test");
        }
        return forwarders.contains(handler.handler())
                ? HandlerMode.FORWARDER
                : modes.getOrDefault(handler, modes.get(handler.ofAnyType()));
    }

    /** @return what the handler throws, or null */
    RuntimeException call(Delivery delivery, Random random) {
        String text = delivery.body().text();
        String handler = delivery.handler();
        if (isDown.test(handler)) {
            return new IllegalStateException("no route to host");
        }
        if (moods.obeys(text, POISON, handler)) {
            return new IllegalStateException("poison");
        }
        if (moods.obeys(text, HALT, handler)) {
            throw new Halted();
        }
        if (moods.obeys(text, PERMANENT, handler)) {
            return new PermanentFailureException("never");
        }
        if (moods.obeys(text, DEFERRED, handler) || random.nextInt(1000) < moods.deferrals()) {
            return new DeferredDeliveryException();
        }
        return random.nextInt(1000) < moods.failures() ? new IllegalStateException("now and then") : null;
    }

    /** A deadlock that the handler swallowed: MySQL has rolled back the whole transaction. */
    boolean silentlyLosesItsClaim(Random random) {
        return random.nextInt(1000) < moods.lostClaims();
    }

    boolean refusesCommit(Delivery delivery) {
        return moods.obeys(delivery.body().text(), REFUSED, delivery.handler());
    }

    boolean losesItsAnswer(Random random) {
        return random.nextInt(1000) < moods.lostAnswers();
    }

    @Override
    public Outcome deliver(Delivery delivery) {
        throw new UnsupportedOperationException("the simulation takes the steps of a delivery itself");
    }

    @Override
    public FailureClassifier.Verdict classify(Delivery delivery, Throwable failure) {
        if (failure instanceof DeferredDeliveryException) {
            return FailureClassifier.Verdict.DEFER;
        }
        return failure instanceof PermanentFailureException
                ? FailureClassifier.Verdict.DEAD
                : FailureClassifier.Verdict.RETRY;
    }
}

package io.outboxed.internal.relay;

import io.outboxed.DeadLetter;
import io.outboxed.PermanentFailureException;
import io.outboxed.internal.store.HandlerKey;
import io.outboxed.internal.store.HandlerRegistration;
import io.outboxed.spi.FailureClassifier;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;

/** Handlers whose failures are drawn from the simulation's seed; a text says what a message does to them. */
final class SimulatedHandlers implements Deliveries {
    static final String POISON = "poison";
    static final String PERMANENT = "permanent";

    static final String HALT = "halt";

    /** The handler has killed its JVM. */
    static final class Halted extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private final Map<HandlerKey, HandlerMode> modes;
    private final int failuresPerThousand;
    private final Predicate<String> isDown;

    SimulatedHandlers(Map<HandlerKey, HandlerMode> modes, int failuresPerThousand, Predicate<String> isDown) {
        this.modes = modes;
        this.isDown = isDown;
        this.failuresPerThousand = failuresPerThousand;
    }

    static List<HandlerRegistration> registrations(Map<HandlerKey, HandlerMode> modes) {
        return new SimulatedHandlers(modes, 0, handler -> false).registrations();
    }

    @Override
    public Set<HandlerKey> all() {
        return modes.keySet();
    }

    @Override
    public String group(HandlerKey handler) {
        return handler.handler();
    }

    @Override
    public HandlerMode mode(HandlerKey handler) {
        return modes.get(handler);
    }

    /** @return what the handler throws, or null */
    RuntimeException call(Delivery delivery, Random random) {
        String text = delivery.body().text();
        if (isDown.test(delivery.handler())) {
            return new IllegalStateException("no route to host");
        }
        if (text.equals(POISON + delivery.handler())) {
            return new IllegalStateException("poison");
        }
        if (text.equals(HALT + delivery.handler())) {
            throw new Halted();
        }
        if (text.equals(PERMANENT + delivery.handler())) {
            return new PermanentFailureException("never");
        }
        return random.nextInt(1000) < failuresPerThousand ? new IllegalStateException("now and then") : null;
    }

    /** A deadlock that the handler swallowed: on MySQL the whole transaction is gone. */
    boolean losesItsMarkInSecret(Random random) {
        return random.nextInt(1000) < failuresPerThousand / 2;
    }

    @Override
    public Outcome deliver(Delivery delivery) {
        throw new UnsupportedOperationException("the simulation takes the steps of a delivery itself");
    }

    @Override
    public FailureClassifier.Verdict classify(Delivery delivery, Throwable failure) {
        return failure instanceof PermanentFailureException
                ? FailureClassifier.Verdict.DEAD
                : FailureClassifier.Verdict.RETRY;
    }

    @Override
    public void dead(DeadLetter letter) {}
}

package io.outboxed.shop;

import io.outboxed.Outbox;
import io.outboxed.Outboxed;
import io.outboxed.shop.Walks.Step;
import jakarta.ejb.Stateless;
import jakarta.inject.Inject;

/** The same from a session bean: every business method publishes what it returns. */
@Stateless
@Outboxed
public class Walkers {

    @Inject
    Outbox outbox;

    public Step step(String walker, int number) {
        return new Step(walker, number);
    }

    public Step stepAndFail(String walker, int number) {
        outbox.publish(new Step(walker, number));
        throw new IllegalStateException(walker + " stumbles at " + number);
    }
}

package io.outboxed.shop;

import io.outboxed.Outboxed;
import io.outboxed.shop.Walks.Step;
import jakarta.ejb.Stateless;

/** The same from a session bean: every business method publishes what it returns. */
@Stateless
@Outboxed
public class Walkers {

    public Step step(String walker, int number) {
        return new Step(walker, number);
    }

    public Step stepAndFail(String walker, int number) {
        throw new IllegalStateException(walker + " stumbles at " + number);
    }
}

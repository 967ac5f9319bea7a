package org.example.orders;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.transaction.Transactional;
import jakarta.transaction.Transactional.TxType;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/** Outside: a mail may be sent more than once. */
@ApplicationScoped
public class Mailer {
    private final List<String> sent = new CopyOnWriteArrayList<>();
    private volatile boolean refusesRepetitions;

    @Transactional(TxType.NOT_SUPPORTED)
    void confirm(@Observes OrderShipped shipped) {
        if (shipped.order().equals("slow")) {
            hang();
        }
        if (refusesRepetitions && sent.contains(shipped.order())) {
            throw new IllegalStateException("the mail for " + shipped.order() + " was sent before");
        }
        sent.add(shipped.order());
    }

    void refuseRepetitions() {
        refusesRepetitions = true;
    }

    private static void hang() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted", e);
        }
    }

    List<String> sent() {
        return List.copyOf(sent);
    }

    /** Not a copy: it changes with the next mail. */
    List<String> sentSoFar() {
        return Collections.unmodifiableList(sent);
    }

    void forget() {
        sent.clear();
        refusesRepetitions = false;
    }
}

package io.outboxed.shop;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.shop.Shop.Answer;
import io.outboxed.shop.Shop.NoAnswerException;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.IntStream;

/** Customers who order all the time, until they leave or the server is gone. */
final class Customers {
    private static final int COUNT = 8;

    private final Shop shop;
    private final Set<Long> answered = new ConcurrentSkipListSet<>();
    private final List<Thread> threads;
    private final Queue<RuntimeException> failures = new ConcurrentLinkedQueue<>();
    private volatile boolean leaving;

    private Customers(Shop shop) {
        this.shop = shop;
        this.threads = IntStream.range(0, COUNT)
                .mapToObj(n -> new Thread(this::orderUntilTheServerIsGone, "customer " + n))
                .toList();
    }

    static Customers of(Shop shop) {
        Customers customers = new Customers(shop);
        customers.threads.forEach(Thread::start);
        return customers;
    }

    private void orderUntilTheServerIsGone() {
        try {
            while (!leaving) {
                Answer answer = shop.tryToOrder("tea");
                if (answer.status() == 201) {
                    answered.add(answer.json().getJsonNumber("id").longValueExact());
                }
            }
        } catch (NoAnswerException killed) {
            // this customer's last order may have been stored or not: it was never confirmed
        } catch (RuntimeException e) {
            failures.add(e);
        }
    }

    void awaitAnswered(int orders) {
        Await.until(orders + " orders are answered", 180, () -> answered.size() >= orders, answered::size);
    }

    int answered() {
        return answered.size();
    }

    /** @return the orders that they got a 201 for */
    Set<Long> leave() {
        leaving = true;
        return awaitGone();
    }

    /** @return the orders that they got a 201 for */
    Set<Long> awaitGone() {
        Await.until("every customer noticed", 90, () -> threads.stream().noneMatch(Thread::isAlive));
        assertThat(failures).isEmpty();
        return answered;
    }
}

package io.outboxed.it.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.shop.ServerExtension;
import io.outboxed.shop.WarUnderTest;
import jakarta.inject.Inject;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** An aggregate with many waiting events, and a handler that takes them in batches. */
@ExtendWith({ServerExtension.class, ArquillianExtension.class})
class BatchIT {
    private static final int EVENTS = 300;
    /** The relay reads at least so many of a long backlog at once, after the few of its first read. */
    private static final int PAGE = 32;

    @Inject
    Counters counters;

    @Deployment
    static WebArchive war() throws URISyntaxException {
        return WarUnderTest.withAssertions().addPackage(BatchIT.class.getPackage());
    }

    @Test
    void the_events_of_an_aggregate_come_in_batches_once_and_in_order_although_one_fails() {
        List<List<Integer>> batches = batches(Counters.FAILING);

        assertThat(batches).as("one transaction for several").hasSizeLessThan(EVENTS);
        assertThat(counters.failures()).isPositive();
        assertThat(counters.wrong()).isEmpty();
    }

    /** They were committed together, so each read of the relay has found none of them or all that are left. */
    @Test
    void what_waits_of_an_aggregate_comes_in_few_calls() {
        assertThat(batches("without failures"))
                .extracting(List::size)
                .hasSizeLessThanOrEqualTo(1 + EVENTS / PAGE)
                .anyMatch(size -> size >= PAGE);
        assertThat(counters.wrong()).isEmpty();
    }

    /** Publishes all events in one transaction. */
    private List<List<Integer>> batches(String counter) {
        counters.count(counter, EVENTS);
        long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (seen(counter).size() < EVENTS) {
            assertThat(System.nanoTime())
                    .as("seen: " + counters.committed(counter))
                    .isLessThan(deadline);
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
        assertThat(seen(counter))
                .isEqualTo(IntStream.rangeClosed(1, EVENTS).boxed().toList());
        return counters.committed(counter);
    }

    private List<Integer> seen(String counter) {
        return counters.committed(counter).stream().flatMap(List::stream).toList();
    }
}

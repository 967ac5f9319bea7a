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

    @Inject
    Counters counters;

    @Deployment
    static WebArchive war() throws URISyntaxException {
        return WarUnderTest.withAssertions().addPackage(BatchIT.class.getPackage());
    }

    @Test
    void the_events_of_an_aggregate_come_in_batches_once_and_in_order_although_one_fails() {
        counters.count("c-1", EVENTS);
        long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (seen().size() < EVENTS) {
            assertThat(System.nanoTime()).as("seen: " + counters.committed()).isLessThan(deadline);
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }

        assertThat(seen()).isEqualTo(IntStream.rangeClosed(1, EVENTS).boxed().toList());
        assertThat(counters.committed()).as("one transaction for several").hasSizeLessThan(EVENTS);
        assertThat(counters.failures()).isPositive();
        assertThat(counters.wrong()).isEmpty();
    }

    private List<Integer> seen() {
        return counters.committed().stream().flatMap(List::stream).toList();
    }
}

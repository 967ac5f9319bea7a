package io.outboxed.it.any;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.shop.ServerExtension;
import io.outboxed.shop.WarUnderTest;
import jakarta.inject.Inject;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What an application sees of all events and of all failures. */
@ExtendWith({ServerExtension.class, ArquillianExtension.class})
class AnyEventIT {

    @Inject
    Everything everything;

    @Inject
    Failures failures;

    @Deployment
    static WebArchive war() throws URISyntaxException {
        return WarUnderTest.withAssertions().addPackage(AnyEventIT.class.getPackage());
    }

    @AfterEach
    void retire() {
        everything.retire();
    }

    @Test
    void handlers_of_any_type_and_of_failures_are_called() {
        everything.publish("it.nobody.else", "{}");
        everything.publish("it.unreachable", "{}");

        await("all is delivered", () -> everything.pending() == 0);

        assertThat(everything.seen())
                .contains(
                        "it.nobody.else in a transaction",
                        "it.nobody.else outside",
                        "it.unreachable in a transaction",
                        "it.unreachable outside");
        assertThat(everything.seen())
                .as("the deferred attempt does not count")
                .filteredOn(each -> each.startsWith("attempt"))
                .containsExactly("attempt 1", "attempt 1");
        await("the failure is reported", () -> failures.reported().equals(List.of("Everything.ofOneType 1 DEFER")));
    }

    private static void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as(what + " within 60 s").isLessThan(deadline);
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
    }
}

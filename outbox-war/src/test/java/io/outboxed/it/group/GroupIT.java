package io.outboxed.it.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.shop.ServerExtension;
import io.outboxed.shop.WarUnderTest;
import jakarta.inject.Inject;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A projection with a method for each of two event types, and a bean beside it. */
@ExtendWith({ServerExtension.class, ArquillianExtension.class})
class GroupIT {
    private static final String STUBBORN = AccountView.STUBBORN;

    @Inject
    Bank bank;

    @Inject
    AccountView view;

    @Inject
    Letters letters;

    @Deployment
    static WebArchive war() throws URISyntaxException {
        return WarUnderTest.withAssertions().addPackage(GroupIT.class.getPackage());
    }

    @Test
    void while_one_method_of_a_bean_is_retried_the_bean_gets_no_later_event_of_that_aggregate() {
        bank.publish(new Opened(STUBBORN));
        bank.publish(new Closed(STUBBORN));
        bank.publish(new Opened("other"));
        bank.publish(new Closed("other"));

        // neither another bean nor another aggregate waits
        await(letters::sent, STUBBORN + " opened", STUBBORN + " closed", "other opened", "other closed");
        await(view::seen, STUBBORN + " failed", "other opened", "other closed");
        assertThat(view.seen()).doesNotContain(STUBBORN + " opened", STUBBORN + " closed");

        view.repair();

        await(view::seen, STUBBORN + " opened", STUBBORN + " closed");
        assertThat(view.seen()).containsSubsequence(STUBBORN + " failed", STUBBORN + " opened", STUBBORN + " closed");
    }

    private static void await(Supplier<List<String>> list, String... all) {
        long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (!list.get().containsAll(List.of(all))) {
            assertThat(System.nanoTime())
                    .as("%s has %s within 60 s", list.get(), List.of(all))
                    .isLessThan(deadline);
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
    }
}

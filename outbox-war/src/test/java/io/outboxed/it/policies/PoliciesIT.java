package io.outboxed.it.policies;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.DeadLetter;
import io.outboxed.DeadLetters;
import io.outboxed.admin.DeadLetterFilter;
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
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.jboss.shrinkwrap.api.spec.JavaArchive;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith({ServerExtension.class, ArquillianExtension.class})
class PoliciesIT {

    @Inject
    Archive archive;

    @Inject
    Clerk clerk;

    @Inject
    DeadLetters deadLetters;

    @Deployment
    static WebArchive war() throws URISyntaxException {
        // beside the shop's own file
        JavaArchive settings = ShrinkWrap.create(JavaArchive.class, "policies.jar")
                .addAsResource(new StringAsset("""
                                config_ordinal=200
                                outbox.dead-letter."Clerk.filed".order=block
                                outbox.handler.timeout=1s
                                """), "META-INF/microprofile-config.properties");
        return WarUnderTest.withAssertions()
                .addPackage(PoliciesIT.class.getPackage())
                .addAsLibraries(settings);
    }

    @Test
    void a_dead_letter_blocks_its_aggregate_until_an_operator_decides() {
        archive.publish(new Filed(Clerk.SEALED, 1));
        archive.publish(new Filed(Clerk.SEALED, 2));
        archive.publish(new Filed("open", 1));
        await("its dead letter", () -> !letters().isEmpty());
        archive.publish(new Filed(Clerk.SEALED, 3));
        archive.publish(new Filed("open", 2));
        await("the other folder", () -> clerk.done().containsAll(List.of("open 1", "open 2")));
        assertThat(clerk.done()).noneMatch(done -> done.startsWith(Clerk.SEALED));

        letters()
                .forEach(letter -> assertThat(deadLetters.discard(letter.messageId(), letter.handler()))
                        .isTrue());

        await("the rest of the folder", () -> clerk.done().contains(Clerk.SEALED + " 3"));
        assertThat(clerk.done())
                .filteredOn(done -> done.startsWith(Clerk.SEALED))
                .containsExactly(Clerk.SEALED + " 2", Clerk.SEALED + " 3");
    }

    /** By the timer. */
    @Test
    void a_call_that_exceeds_its_time_is_interrupted_and_made_again() {
        archive.publish(new Copied("hung"));

        await("the second attempt", () -> clerk.done().contains("hung copied"));
        assertThat(clerk.wasInterrupted()).isTrue();
    }

    private List<DeadLetter> letters() {
        return deadLetters
                .find(DeadLetterFilter.all().handler("Clerk.filed"), null, 10)
                .letters();
    }

    private static void await(String what, BooleanSupplier isThere) {
        long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (!isThere.getAsBoolean()) {
            assertThat(System.nanoTime()).as("%s within 60 s", what).isLessThan(deadline);
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
    }
}

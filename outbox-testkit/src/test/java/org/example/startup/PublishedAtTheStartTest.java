package org.example.startup;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.testkit.OutboxTest;
import io.outboxed.testkit.OutboxTester;
import org.junit.jupiter.api.RepeatedTest;

@OutboxTest
class PublishedAtTheStartTest {

    @RepeatedTest(2)
    void an_event_that_is_published_at_the_start_is_there_at_the_begin_of_each_test(OutboxTester outbox) {
        assertThat(outbox.published(Seed.Seeded.class)).containsExactly(new Seed.Seeded("first"));

        outbox.drain();

        assertThat(outbox.calls("Seed.handle")).hasSize(1);
    }
}

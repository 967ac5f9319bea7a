package org.example.cached;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.testkit.OutboxTest;
import jakarta.inject.Inject;
import org.junit.jupiter.api.RepeatedTest;

@OutboxTest
class CachedEntitiesTest {
    @Inject
    Shelf shelf;

    @RepeatedTest(2)
    void a_test_finds_no_result_of_a_query_of_the_one_before() {
        assertThat(shelf.count()).isZero();

        shelf.add("emma");

        assertThat(shelf.count()).isEqualTo(1);
    }

    @RepeatedTest(2)
    void a_test_finds_no_entity_of_the_one_before() {
        assertThat(shelf.has("emma")).isFalse();

        shelf.add("emma");

        assertThat(shelf.has("emma")).isTrue();
        assertThat(shelf.isCached("emma")).isTrue();
    }
}

package org.example.nested;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.testkit.OutboxTest;
import io.outboxed.testkit.OutboxTester;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import org.example.nested.Rates.Fixed;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@OutboxTest
class NestedClassesTest {
    @Inject
    OutboxTester outer;

    @Any
    @Inject
    Instance<Rates> all;

    @Test
    void a_parameter_is_the_bean_with_its_qualifier(Rates any, @Fixed Rates fixed) {
        assertThat(any.rate()).isEqualTo(1);
        assertThat(fixed.rate()).isEqualTo(2);
    }

    @Test
    void beans_that_are_nested_in_other_tests_are_not_among_this_ones() {
        assertThat(all).extracting(Rates::rate).containsExactlyInAnyOrder(1, 2);
    }

    @Nested
    class WithoutAnAnnotation {
        @Inject
        OutboxTester outbox;

        @BeforeAll
        static void before(Rates rates) {
            assertThat(rates.rate()).isEqualTo(1);
        }

        @Test
        void they_use_the_application_of_the_class_around_them() {
            assertThat(outbox).isSameAs(outer);
        }
    }
}

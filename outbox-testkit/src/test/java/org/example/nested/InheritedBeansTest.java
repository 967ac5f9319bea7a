package org.example.nested;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import org.example.nested.OtherTests.WithFakeRates;
import org.junit.jupiter.api.Test;

/** Its superclass has the annotation and a bean. */
class InheritedBeansTest extends WithFakeRates {
    @Any
    @Inject
    Instance<Rates> all;

    @Test
    void beans_that_are_nested_in_its_superclass_are_its_own() {
        assertThat(all).extracting(Rates::rate).containsExactlyInAnyOrder(1, 2, 5);
    }
}

package io.outboxed.internal.capture;

import static io.outboxed.internal.capture.WeldDeployment.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.AggregateId;
import io.outboxed.Outboxed;
import io.outboxed.internal.capture.OutboxedMethodsExtensionTest.Placed;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.inject.Stereotype;
import jakarta.interceptor.InterceptorBinding;
import jakarta.transaction.Transactional;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.eclipse.microprofile.faulttolerance.Fallback;
import org.junit.jupiter.api.Test;

/** Methods that are {@code @Outboxed} by their class, by the method that they override, or by another annotation. */
class OutboxedClassesTest {
    @Dependent
    @Outboxed(serialize = true)
    public static class WholeClassSerialized {
        public Placed fine(@AggregateId String id) {
            return null;
        }

        @Outboxed
        public Placed fineToo() {
            return null;
        }

        public Placed ofUnknown() {
            return null;
        }
    }

    @Dependent
    @Outboxed
    public static class WholeClass {
        public Placed fine() {
            return null;
        }

        public void nothing() {}

        private void helper() {}

        static void tool() {}
    }

    @Dependent
    public static class Base {
        @Outboxed
        public void nothing() {}
    }

    @Dependent
    public static class Overrides extends Base {
        @Override
        public void nothing() {}
    }

    @Outboxed
    @Transactional
    @InterceptorBinding
    @Retention(RetentionPolicy.RUNTIME)
    @Target({ElementType.TYPE, ElementType.METHOD})
    public @interface UseCase {}

    @UseCase
    @Stereotype
    @ApplicationScoped
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.TYPE)
    public @interface Service {}

    @UseCase
    @ApplicationScoped
    public static class Composed {
        public Placed place() {
            return new Placed("1");
        }
    }

    @ApplicationScoped
    public static class ComposedOnMethod {
        @UseCase
        @Fallback(fallbackMethod = "later")
        public Placed place() {
            return new Placed("1");
        }

        public Placed later() {
            return new Placed("2");
        }
    }

    @Service
    public static class OfStereotype {
        public Placed place() {
            return new Placed("1");
        }
    }

    @Test
    void on_a_class_it_applies_to_business_methods_only() {
        assertThat(refusal(WholeClass.class))
                .contains("OUTBOX-0120 1 problem with")
                .contains(WholeClass.class.getName() + ".nothing() returns nothing")
                .contains("or put @Outboxed on individual methods instead of the class");
    }

    @Test
    void serialize_on_a_class_needs_the_aggregate_in_every_method_that_does_not_say_otherwise() {
        assertThat(refusal(WholeClassSerialized.class))
                .contains("OUTBOX-0120 1 problem with")
                .contains("OUTBOX-0132 " + WholeClassSerialized.class.getName() + ".ofUnknown() is")
                .contains("or put @Outboxed on individual methods instead of the class");
    }

    @Test
    void an_overridden_method_counts_as_it_is_overridden() {
        assertThat(refusal(Overrides.class)).isNull();
        assertThat(refusal(Base.class)).contains("OUTBOX-0125 " + Base.class.getName() + ".nothing()");
    }

    @Test
    void an_annotation_that_brings_it_along_is_refused_because_nothing_would_be_checked() {
        assertThat(refusal(Composed.class))
                .contains("OUTBOX-0135 " + Composed.class.getName() + " gets @Outboxed by way of @"
                        + UseCase.class.getName() + ", which is not supported: remove it from @"
                        + UseCase.class.getName() + ", and put it on the class or its methods");
        assertThat(refusal(ComposedOnMethod.class)).contains("OUTBOX-0135 " + ComposedOnMethod.class.getName());
        assertThat(refusal(OfStereotype.class)).contains("by way of @" + Service.class.getName());
    }
}

package io.outboxed.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtensionContext;

/** The contexts are those of JUnit from 5.14.2: earlier ones don't run a class with parameters and a lock. */
class OutboxExtensionTest {

    @OutboxTest
    private static class Annotated {
        private static class Inside {}

        @OutboxTest
        private static class AnnotatedToo {}
    }

    private final ExtensionContext ofClass = context(null, Annotated.class);

    @Test
    void a_class_with_parameters_has_one_application_for_all_its_invocations() {
        ExtensionContext invocation = context(ofClass, Annotated.class);

        assertThat(OutboxExtension.annotated(invocation)).isSameAs(ofClass);
        assertThat(OutboxExtension.annotated(context(invocation, Annotated.Inside.class)))
                .isSameAs(ofClass);
    }

    @Test
    void a_class_inside_it_can_not_have_another_one() {
        ExtensionContext inside = context(context(ofClass, Annotated.class), Annotated.AnnotatedToo.class);

        assertThatThrownBy(() -> OutboxExtension.annotated(inside)).hasMessageContaining("an @OutboxTest of its own");
    }

    private static ExtensionContext context(ExtensionContext parent, Class<?> test) {
        return (ExtensionContext) Proxy.newProxyInstance(
                OutboxExtensionTest.class.getClassLoader(),
                new Class<?>[] {ExtensionContext.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "getParent" -> Optional.ofNullable(parent);
                    case "getTestClass" -> Optional.of(test);
                    case "getTestMethod" -> Optional.<Method>empty();
                    default -> InvocationHandler.invokeDefault(proxy, method, arguments);
                });
    }
}

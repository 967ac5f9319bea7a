package io.outboxed.testkit;

import io.outboxed.internal.testkit.standalone.StandaloneOutbox;
import java.util.List;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestInstancePostProcessor;
import org.junit.platform.commons.support.AnnotationSupport;

/** Starts and ends what {@link OutboxTest} describes. Not to be used without that annotation. */
public final class OutboxExtension
        implements TestInstancePostProcessor, BeforeEachCallback, AfterAllCallback, ParameterResolver {
    private static final ExtensionContext.Namespace NAMESPACE =
            ExtensionContext.Namespace.create(OutboxExtension.class);

    /** Called by JUnit. */
    public OutboxExtension() {}

    @Override
    public void postProcessTestInstance(Object test, ExtensionContext context) {
        running(context).inject(test);
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        running(context).reset();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        StandaloneOutbox running = store(context).remove(StandaloneOutbox.class, StandaloneOutbox.class);
        if (running != null) {
            running.close();
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return running(context).has(parameter.getParameter().getType());
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return running(context).get(parameter.getParameter().getType());
    }

    /** Started by whatever JUnit calls first, which depends on the life cycle of the test's instances. */
    private static StandaloneOutbox running(ExtensionContext context) {
        return store(context)
                .getOrComputeIfAbsent(
                        StandaloneOutbox.class, key -> start(context.getRequiredTestClass()), StandaloneOutbox.class);
    }

    private static StandaloneOutbox start(Class<?> test) {
        OutboxTest wanted = AnnotationSupport.findAnnotation(test, OutboxTest.class)
                .orElseThrow(() -> new IllegalStateException(test.getName() + " has no @OutboxTest"));
        return StandaloneOutbox.start(test, List.of(wanted.value()), List.of(wanted.settings()));
    }

    /** The store of the test class: that of a method would end with the method. */
    private static ExtensionContext.Store store(ExtensionContext context) {
        ExtensionContext ofClass = context;
        while (ofClass.getTestMethod().isPresent()) {
            ofClass = ofClass.getParent().orElseThrow();
        }
        return ofClass.getStore(NAMESPACE);
    }
}

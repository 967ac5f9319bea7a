package io.outboxed.testkit;

import io.outboxed.internal.testkit.standalone.StandaloneOutbox;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
        StandaloneOutbox running =
                context.getStore(NAMESPACE).remove(context.getRequiredTestClass(), StandaloneOutbox.class);
        if (running != null) {
            running.close();
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return running(context)
                .has(
                        parameter.getParameter().getType(),
                        parameter.getParameter().getAnnotations());
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return running(context)
                .get(
                        parameter.getParameter().getType(),
                        parameter.getParameter().getAnnotations());
    }

    /**
     * Started by whatever JUnit calls first, which depends on the life cycle of the test's instances. A nested class uses
     * the application of the class around it.
     */
    private static StandaloneOutbox running(ExtensionContext context) {
        ExtensionContext annotated = annotated(context);
        Class<?> test = annotated.getRequiredTestClass();
        return annotated.getStore(NAMESPACE).getOrComputeIfAbsent(test, key -> start(test), StandaloneOutbox.class);
    }

    static ExtensionContext annotated(ExtensionContext context) {
        List<ExtensionContext> found = new ArrayList<>();
        for (Optional<ExtensionContext> each = Optional.of(context);
                each.isPresent();
                each = each.get().getParent()) {
            if (isClass(each.get())
                    && annotation(each.get().getRequiredTestClass()).isPresent()) {
                found.add(each.get());
            }
        }
        if (found.size() != 1) {
            throw new IllegalStateException(
                    found.isEmpty()
                            ? context.getRequiredTestClass().getName() + " has no @OutboxTest"
                            : found.get(0).getRequiredTestClass().getName() + " has an @OutboxTest of its own, but the"
                                    + " application of the class around it is running, and only one at a time can: make"
                                    + " it a class that is not nested");
        }
        return found.get(0);
    }

    /** A class with parameters has another context for each of its invocations, below its own. */
    private static boolean isClass(ExtensionContext context) {
        Optional<Class<?>> above = context.getParent().flatMap(ExtensionContext::getTestClass);
        return context.getTestMethod().isEmpty()
                && context.getTestClass().isPresent()
                && !context.getTestClass().equals(above);
    }

    private static StandaloneOutbox start(Class<?> test) {
        OutboxTest wanted = annotation(test).orElseThrow();
        return StandaloneOutbox.start(test, List.of(wanted.value()), List.of(wanted.settings()));
    }

    private static Optional<OutboxTest> annotation(Class<?> test) {
        return AnnotationSupport.findAnnotation(test, OutboxTest.class);
    }
}

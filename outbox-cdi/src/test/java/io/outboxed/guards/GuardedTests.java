package io.outboxed.guards;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs single tests and prints how each has ended: {@code class#method...}. As an extension it is in each of them. */
public final class GuardedTests implements TestExecutionListener, AfterTestExecutionCallback {
    static final String RESULT = "result\t";
    /** How a test ends that has noticed something, at once or because it has waited in vain. */
    static final String ASSERTION = "assertion";
    /** The edited classes do not fit to the others, which shows nothing. */
    static final String LINKAGE = "linkage";
    /** What comes before or after a test, such as the set-up of its database, or an assumption, which shows nothing. */
    static final String BESIDE = "beside";

    /** Tests whose own method has thrown something, by unique id. */
    private static final Set<String> THROWN = ConcurrentHashMap.newKeySet();

    public static void main(String[] tests) {
        Map<String, Set<String>> methods = Arrays.stream(tests)
                .map(test -> test.split("#"))
                .collect(Collectors.groupingBy(
                        test -> test[0], Collectors.mapping(test -> test[1], Collectors.toSet())));
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(
                        methods.keySet().stream().map(each -> selectClass(each)).toList())
                .filters((PostDiscoveryFilter) test -> FilterResult.includedIf(isWanted(test, methods)))
                .configurationParameter("junit.jupiter.extensions.autodetection.enabled", "true")
                .build();
        LauncherFactory.create().execute(request, new GuardedTests());
        // threads of what was tested may still run; servers that were started end with this JVM
        System.exit(0);
    }

    private static boolean isWanted(TestDescriptor test, Map<String, Set<String>> methods) {
        return test.getSource()
                .filter(MethodSource.class::isInstance)
                .map(MethodSource.class::cast)
                .filter(source -> methods.entrySet().stream()
                        .anyMatch(each -> test.getUniqueId().toString().contains(each.getKey())
                                && each.getValue().contains(source.getMethodName())))
                .isPresent();
    }

    /** Is not called if the test has not begun, and before what comes after it. */
    @Override
    public void afterTestExecution(ExtensionContext test) {
        if (test.getExecutionException().isPresent()) {
            THROWN.add(test.getUniqueId());
        }
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        if (test.getSource().orElse(null) instanceof MethodSource source) {
            String name = source.getClassName().replaceAll("\\$.*", "") + "#" + source.getMethodName();
            String failure = result.getThrowable().map(GuardedTests::shown).orElse("");
            boolean beside =
                    result.getStatus() == TestExecutionResult.Status.ABORTED || !THROWN.contains(test.getUniqueId());
            String kind = result.getThrowable()
                    .map(thrown -> beside ? BESIDE : kind(thrown))
                    .orElse("");
            System.out.println(
                    RESULT + String.join("\t", List.of(name, result.getStatus().name(), failure, kind)));
        }
    }

    private static String kind(Throwable failure) {
        if (failure instanceof AssertionError || failure instanceof TimeoutException) {
            return ASSERTION;
        }
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause).anyMatch(LinkageError.class::isInstance)
                ? LINKAGE
                : "";
    }

    private static String shown(Throwable failure) {
        return failure.toString().strip().replaceAll("\\s+", " ");
    }
}

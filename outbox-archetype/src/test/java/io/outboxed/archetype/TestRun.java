package io.outboxed.archetype;

import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** Runs a test class in a JVM of its own, as Surefire does. */
final class TestRun {

    private TestRun() {}

    /** @param arguments the class */
    public static void main(String[] arguments) {
        SummaryGeneratingListener results = new SummaryGeneratingListener();
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(DiscoverySelectors.selectClass(arguments[0]))
                                .build(),
                        results);
        TestExecutionSummary summary = results.getSummary();
        summary.getFailures().forEach(failure -> failure.getException().printStackTrace());
        System.out.println(summary.getTestsSucceededCount() + " passed, " + summary.getTotalFailureCount() + " failed");
        System.exit(0);
    }
}

package io.outboxed.internal.metrics;

import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;

/** Looks up what a bean of the deployment would get injected. */
@Dependent
class Anything {
    @Inject
    Instance<Object> beans;
}

package io.outboxed.internal.metrics;

import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;

/** Gets what a deployment's bean gets. */
@Dependent
class Anything {
    @Inject
    Instance<Object> beans;
}

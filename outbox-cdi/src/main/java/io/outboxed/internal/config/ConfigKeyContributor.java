package io.outboxed.internal.config;

/** Keys that a jar of its own reads and checks, if it is there. It names its implementation in META-INF/services. */
public interface ConfigKeyContributor {

    /** @return what all of its keys begin with, for example {@code outbox.kafka.} */
    String prefix();
}

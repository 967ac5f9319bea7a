package io.outboxed.internal.handlers.invocation;

/** How an observer gets the instance of its bean. */
public enum InstanceKind {
    /** From the context of the bean's scope. */
    OF_SCOPE,
    /** A dependent bean: each call creates one. */
    OF_CALL,
    /** A dependent session bean: its container has instances, and reports if it can't create one. */
    OF_CONTAINER
}

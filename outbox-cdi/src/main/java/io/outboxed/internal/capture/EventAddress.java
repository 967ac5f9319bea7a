package io.outboxed.internal.capture;

/** An event's type and its aggregate; aggregate type and id are empty if there is none. */
public record EventAddress(String type, String aggregateType, String aggregateId) {

    boolean hasAggregate() {
        return !aggregateId.isEmpty();
    }
}

package io.outboxed.internal.capture;

/** What an event is called and whom it belongs to; aggregate type and id are empty where there is none. */
public record EventAddress(String type, String aggregateType, String aggregateId) {

    boolean hasAggregate() {
        return !aggregateId.isEmpty();
    }
}

package io.outboxed.internal.store.cluster;

import io.outboxed.internal.store.HandlerKey;

/** A handler as registered by a deployment. Messages of an aggregate stay in order within its group. */
public record HandlerRegistration(String type, String handler, String group) {

    public HandlerKey key() {
        return new HandlerKey(type, handler);
    }
}

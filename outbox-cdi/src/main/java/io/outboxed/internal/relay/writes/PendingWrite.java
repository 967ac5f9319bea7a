package io.outboxed.internal.relay.writes;

import io.outboxed.internal.store.FencedWrite;

/** @param then runs after the commit */
record PendingWrite(FencedWrite write, Runnable then) {

    PendingWrite repeated() {
        return new PendingWrite(write.repeated(), then);
    }

    boolean isFor(long lane) {
        return write.inLane() == lane;
    }

    boolean isFor(long lane, Class<? extends FencedWrite> kind) {
        return isFor(lane) && kind.isInstance(write);
    }
}

package io.outboxed.internal.relay.workers;

import io.outboxed.internal.relay.Outcome;

/** The loop, as workers see it. Called on its own thread, through its mailbox. */
public interface CallListener {

    /** A call has ended, and if its handler has succeeded, this is recorded. */
    void ended(Call call, Outcome outcome);

    /** The handler has succeeded; until this is recorded, the call has not ended. */
    void receiverWorks(Call call);
}

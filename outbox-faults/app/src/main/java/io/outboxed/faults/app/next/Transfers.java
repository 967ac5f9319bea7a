package io.outboxed.faults.app.next;

import io.outboxed.faults.app.HandlerFault;
import io.outboxed.faults.app.NextVersion;
import jakarta.enterprise.context.ApplicationScoped;

/** Tells the writers that they run in the next version. */
@ApplicationScoped
public class Transfers implements NextVersion {

    @Override
    public Object transferred(String account, long number, String id, HandlerFault fault) {
        return new Transferred(account, number, id, fault);
    }
}

package io.outboxed.faults.app.next;

import io.outboxed.faults.app.NextVersion;
import io.outboxed.faults.app.Trouble;
import jakarta.enterprise.context.ApplicationScoped;

/** Tells the writers that they run in the next version. */
@ApplicationScoped
public class Transfers implements NextVersion {

    @Override
    public Object transferred(String account, long number, String id, Trouble trouble) {
        return new Transferred(account, number, id, trouble);
    }
}

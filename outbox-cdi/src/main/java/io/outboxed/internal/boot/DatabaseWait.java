package io.outboxed.internal.boot;

import io.outboxed.internal.config.OutboxConfigReader;
import io.outboxed.internal.database.SqlFailure;
import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.log.OutboxLog;
import java.util.EnumSet;
import java.util.Set;

/** Logs why the relay has not started: each reason once, for a database that is down may refuse the user afterwards. */
public final class DatabaseWait {
    private final Set<Reason> said = EnumSet.noneOf(Reason.class);

    private enum Reason {
        NO_ANSWER,
        ACCOUNT_REFUSED
    }

    /** Not thread-safe. */
    public void failed(StoreException e) {
        if (said.add(SqlFailure.isAccountRefused(e) ? Reason.ACCOUNT_REFUSED : Reason.NO_ANSWER)) {
            OutboxLog.waitingForDatabase(e, OutboxConfigReader.account());
        }
    }
}

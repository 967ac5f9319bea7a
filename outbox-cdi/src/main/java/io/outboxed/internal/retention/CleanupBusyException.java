package io.outboxed.internal.retention;

import io.outboxed.internal.database.StoreException;
import java.sql.SQLException;

/** Another session keeps the lock of the cleanup: a batch was not begun. It may be made again at any time. */
public final class CleanupBusyException extends StoreException {
    private static final long serialVersionUID = 1L;

    CleanupBusyException(int seconds, SQLException cause) {
        super(
                "another session has been deleting old rows for " + seconds
                        + " s; this batch changed nothing, earlier ones remain",
                true,
                cause);
    }
}

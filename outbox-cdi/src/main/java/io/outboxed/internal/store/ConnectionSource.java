package io.outboxed.internal.store;

import java.sql.Connection;
import java.sql.SQLException;

/** Opens a physical connection that takes part in no JTA transaction. The caller closes it. */
@FunctionalInterface
public interface ConnectionSource {
    Connection open() throws SQLException;
}

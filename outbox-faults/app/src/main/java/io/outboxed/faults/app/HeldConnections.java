package io.outboxed.faults.app;

import jakarta.annotation.Resource;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;

/** Takes all connections of the pool, and gives them back after a while. */
@ApplicationScoped
public class HeldConnections {
    /** The size of the pool that outbox-datasource defines. */
    private static final int ALL = 100;

    @Resource(lookup = "java:app/jdbc/outbox")
    DataSource dataSource;

    /** @return how many connections were held */
    int hold(long millis) {
        List<Connection> held = new ArrayList<>();
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        try {
            while (held.size() < ALL && System.nanoTime() < end) {
                held.add(dataSource.getConnection());
            }
        } catch (SQLException exhausted) {
            // others have the rest
        }
        while (System.nanoTime() < end) {
            LockSupport.parkNanos(end - System.nanoTime());
        }
        held.forEach(HeldConnections::giveBack);
        return held.size();
    }

    private static void giveBack(Connection connection) {
        try {
            connection.close();
        } catch (SQLException broken) {
            // a fault has hit it meanwhile
        }
    }
}

package io.outboxed.it.early;

import jakarta.annotation.PostConstruct;
import jakarta.annotation.Resource;
import jakarta.ejb.Singleton;
import jakarta.ejb.Startup;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/**
 * Publishes while the application starts, perhaps before the relay's own bean is there. The event is delayed by a day,
 * so it stays.
 */
@Singleton
@Startup
public class EarlyBird {

    @Inject
    Nest nest;

    @Resource(lookup = "java:app/jdbc/outbox")
    DataSource dataSource;

    @PostConstruct
    void sing() {
        nest.publish(new Woken("bird"));
    }

    /** The registry version that the events carry. */
    public List<Long> versions() throws SQLException {
        try (Connection connection = dataSource.getConnection();
                PreparedStatement statement = connection.prepareStatement(
                        "select registry_version from outbox_message where type = 'bird.woken'");
                ResultSet rows = statement.executeQuery()) {
            List<Long> versions = new ArrayList<>();
            while (rows.next()) {
                versions.add(rows.getLong(1));
            }
            return versions;
        }
    }
}

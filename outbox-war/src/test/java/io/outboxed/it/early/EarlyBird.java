package io.outboxed.it.early;

import io.outboxed.Outbox;
import io.outboxed.PublishOptions;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.Resource;
import jakarta.ejb.Singleton;
import jakarta.ejb.Startup;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
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
    Outbox outbox;

    @Resource(lookup = "java:app/jdbc/outbox")
    DataSource dataSource;

    @PostConstruct
    void sing() {
        outbox.publish(new Woken("bird"), PublishOptions.none().delay(Duration.ofDays(1)));
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

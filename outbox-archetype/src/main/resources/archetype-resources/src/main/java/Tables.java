package ${package};

import jakarta.annotation.PostConstruct;
import jakarta.annotation.Resource;
import jakarta.ejb.Singleton;
import jakarta.ejb.Startup;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/**
 * Creates the application's own tables; replace it by the tool that migrates your database. While the database is down,
 * this bean fails the deployment.
 */
@Singleton
@Startup
public class Tables {

    @Resource(lookup = "java:app/jdbc/outbox")
    DataSource dataSource;

    @PostConstruct
    void create() {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create table if not exists customer_order"
                    + " (id varchar(100) primary key, item varchar(100) not null)");
            statement.execute("create table if not exists shipment"
                    + " (orderId varchar(100) primary key, item varchar(100) not null)");
        } catch (SQLException e) {
            throw new IllegalStateException("the tables could not be created", e);
        }
    }
}

package io.outboxed.shop.database;

import jakarta.annotation.PostConstruct;
import jakarta.annotation.Resource;
import jakarta.ejb.ConcurrencyManagement;
import jakarta.ejb.ConcurrencyManagementType;
import jakarta.ejb.Singleton;
import jakarta.ejb.Startup;
import jakarta.ejb.TransactionManagement;
import jakarta.ejb.TransactionManagementType;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import javax.sql.DataSource;

/** Creates the shop's tables once: at the start, or with the first request if the database was down at that time. */
@Singleton
@Startup
@TransactionManagement(TransactionManagementType.BEAN)
@ConcurrencyManagement(ConcurrencyManagementType.BEAN)
public class ShopSchema {

    @Resource(lookup = "java:app/jdbc/outbox")
    DataSource dataSource;

    private volatile boolean there;

    @PostConstruct
    void createAtStart() {
        try {
            create();
        } catch (ShopDatabaseException down) {
            ShopLog.noTables(down);
        }
    }

    /**
     * Two nodes that start together may run this at the same time: each statement has no effect if the table exists.
     */
    public void create() {
        if (there) {
            return;
        }
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : script(connection.getMetaData().getDatabaseProductName())) {
                statement.execute(sql);
            }
            there = true;
        } catch (SQLException e) {
            throw new ShopDatabaseException(e);
        }
    }

    private static String[] script(String product) {
        String file = "schema-" + product.toLowerCase(Locale.ROOT) + ".sql";
        try (InputStream in = ShopSchema.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException("The demo shop has no tables for the database \"" + product
                        + "\": expected H2, MySQL, MariaDB or PostgreSQL behind outbox.datasource.url");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).strip().split(";\\s*");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

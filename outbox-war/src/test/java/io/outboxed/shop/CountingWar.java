package io.outboxed.shop;

import io.outboxed.servers.database.RealDatabase;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.TreeMap;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.exporter.ZipExporter;
import org.jboss.shrinkwrap.api.importer.ZipImporter;
import org.jboss.shrinkwrap.api.spec.WebArchive;

/** The shop with {@link Effects}, which count the calls that a repeated delivery would add to. */
final class CountingWar {
    private CountingWar() {}

    static WebArchive archive() {
        return ShrinkWrap.create(ZipImporter.class, "outbox.war")
                .importFrom(new File(System.getProperty("it.war")))
                .as(WebArchive.class)
                .addClass(Effects.class);
    }

    /** @param directory for this test's copy */
    static Path exported(WebArchive archive, String directory) throws IOException {
        Path file = Files.createDirectories(Path.of(System.getProperty("it.directory"), directory))
                .resolve("outbox.war");
        archive.as(ZipExporter.class).exportTo(file.toFile(), true);
        return file;
    }

    static void createTable(RealDatabase real) throws SQLException {
        try (Connection connection = connect(real);
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE " + Effects.TABLE + " (order_id BIGINT)");
        }
    }

    /** How often each order was handled. */
    static Map<Long, Integer> effects(RealDatabase real) throws SQLException {
        Map<Long, Integer> effects = new TreeMap<>();
        try (Connection connection = connect(real);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        "SELECT order_id, COUNT(*) FROM " + Effects.TABLE + " GROUP BY order_id")) {
            while (rows.next()) {
                effects.put(rows.getLong(1), rows.getInt(2));
            }
        }
        return effects;
    }

    private static Connection connect(RealDatabase real) throws SQLException {
        return DriverManager.getConnection(real.url(), real.user(), real.password());
    }
}

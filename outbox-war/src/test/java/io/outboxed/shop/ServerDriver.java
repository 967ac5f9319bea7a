package io.outboxed.shop;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.Set;
import org.jboss.shrinkwrap.api.ArchivePath;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.importer.ZipImporter;
import org.jboss.shrinkwrap.api.spec.WebArchive;

/** Removes the JDBC drivers from the WAR, because the server provides them. */
final class ServerDriver {
    private static final Map<String, String> DRIVERS = Map.of(
            "h2", "h2-",
            "mysql", "mysql-connector-j-",
            "mariadb", "mariadb-java-client-",
            "postgresql", "postgresql-");

    private ServerDriver() {}

    static WebArchive warOfThisRun() {
        return ShrinkWrap.create(ZipImporter.class, "outbox.war")
                .importFrom(new File(System.getProperty("it.war")))
                .as(WebArchive.class);
    }

    /** A copy of the driver for this kind of database. */
    static Path of(WebArchive war, String kind, Path directory) throws IOException {
        Path driver = directory.resolve("driver.jar");
        try (InputStream jar =
                war.get(library(war, DRIVERS.get(kind))).getAsset().openStream()) {
            Files.copy(jar, driver, StandardCopyOption.REPLACE_EXISTING);
        }
        return driver;
    }

    /** The WAR has MariaDB's only with {@code -Pmariadb}. */
    static void deleteAll(WebArchive war) {
        DRIVERS.values().forEach(name -> libraries(war, name).forEach(war::delete));
    }

    static ArchivePath library(WebArchive war, String name) {
        return libraries(war, name).stream().findFirst().orElseThrow();
    }

    private static Set<ArchivePath> libraries(WebArchive war, String name) {
        return Set.copyOf(war.getContent(path -> path.get().startsWith("/WEB-INF/lib/" + name))
                .keySet());
    }
}

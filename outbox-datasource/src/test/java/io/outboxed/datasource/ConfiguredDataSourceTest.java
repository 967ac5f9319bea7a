package io.outboxed.datasource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConfiguredDataSourceTest {
    /** Without what is tested, the call does not end. */
    private static final Duration FOR_EVER = Duration.ofSeconds(60);

    private final String prefix = "t" + UUID.randomUUID() + ".datasource";
    private final ConfiguredDataSource source = new ConfiguredDataSource();

    ConfiguredDataSourceTest() {
        source.setPrefix(prefix);
    }

    @AfterEach
    void forget() {
        List.of("url", "user", "password").forEach(key -> System.clearProperty(prefix + "." + key));
    }

    @Test
    void the_database_is_read_from_the_configuration_at_each_connection() throws SQLException {
        configure(Map.of("url", "jdbc:h2:mem:one", "user", "ada", "password", "hush"));
        try (Connection one = source.getConnection()) {
            assertThat(one.getMetaData().getURL()).isEqualTo("jdbc:h2:mem:one");
            assertThat(one.getMetaData().getUserName()).isEqualTo("ADA");
        }
        configure(Map.of("url", "jdbc:h2:mem:two"));
        try (Connection two = source.getConnection()) {
            assertThat(two.getMetaData().getURL()).isEqualTo("jdbc:h2:mem:two");
        }
    }

    @Test
    void a_driver_for_a_newer_java_is_ignored(@TempDir Path directory) throws Exception {
        Path jar = directory.resolve("newer.jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            out.putNextEntry(new JarEntry("META-INF/services/java.sql.Driver"));
            out.write("newer.Driver\n".getBytes(StandardCharsets.UTF_8));
            out.putNextEntry(new JarEntry("newer/Driver.class"));
            out.write(ByteBuffer.allocate(64)
                    .putInt(0xCAFEBABE)
                    .putShort((short) 0)
                    .putShort((short) 0x7000)
                    .array());
        }
        configure(Map.of("url", "jdbc:h2:mem:newer"));
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader loader = new URLClassLoader(new URL[] {jar.toUri().toURL()}, before)) {
            thread.setContextClassLoader(loader);
            try (Connection connection = source.getConnection()) {
                assertThat(connection.getMetaData().getURL()).isEqualTo("jdbc:h2:mem:newer");
            }
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    @Test
    void a_class_loader_that_always_fails_is_not_asked_for_drivers_for_ever() {
        configure(Map.of("url", "jdbc:h2:mem:gone"));
        ClassLoader gone = new ClassLoader(getClass().getClassLoader()) {
            @Override
            public Enumeration<URL> getResources(String name) throws IOException {
                if (name.endsWith("java.sql.Driver")) {
                    throw new IOException("the application has ended");
                }
                return super.getResources(name);
            }
        };
        assertTimeoutPreemptively(FOR_EVER, () -> {
            // a thread of this assertion alone
            Thread.currentThread().setContextClassLoader(gone);
            try (Connection connection = source.getConnection()) {
                assertThat(connection.getMetaData().getURL()).isEqualTo("jdbc:h2:mem:gone");
            }
        });
    }

    @Test
    void spaces_around_a_url_and_a_user_are_ignored() throws SQLException {
        configure(Map.of("url", " jdbc:h2:mem:spaces\n", "user", "ada ", "password", "hush"));
        try (Connection connection = source.getConnection()) {
            assertThat(connection.getMetaData().getURL()).isEqualTo("jdbc:h2:mem:spaces");
            assertThat(connection.getMetaData().getUserName()).isEqualTo("ADA");
        }
    }

    @Test
    void a_container_may_give_user_and_password_itself() throws SQLException {
        configure(Map.of("url", "jdbc:h2:mem:three", "user", "ada"));
        try (Connection three = source.getConnection("grace", "hush")) {
            assertThat(three.getMetaData().getUserName()).isEqualTo("GRACE");
        }
    }

    @Test
    void a_container_that_gives_an_empty_user_connects_as_configured() throws SQLException {
        configure(Map.of("url", "jdbc:h2:mem:four", "user", "ada", "password", "hush"));
        try (Connection four = source.getConnection("", "")) {
            assertThat(four.getMetaData().getUserName()).isEqualTo("ADA");
        }
    }

    @Test
    void without_a_url_the_message_says_what_to_set() {
        source.setPrefix("outbox-unset.datasource");

        assertThatThrownBy(source::getConnection)
                .isInstanceOf(SQLException.class)
                .hasMessageStartingWith("OUTBOX-0201")
                .hasMessageContaining("outbox-unset.datasource.url")
                .hasMessageContaining("OUTBOX_UNSET_DATASOURCE_URL");
    }

    /** A unit of the application may connect before the settings are checked, and a server's exception quotes them. */
    @Test
    void a_setting_that_refers_to_itself_is_named_and_not_shown() {
        String url = prefix + ".url";
        configure(Map.of("url", "jdbc:h2:mem:${" + url + "};PASSWORD=s3cret"));
        assertThatThrownBy(source::getConnection)
                .isInstanceOf(SQLException.class)
                .hasNoCause()
                .hasMessageStartingWith("OUTBOX-0206 " + url + " can't be read: java.lang.IllegalArgumentException")
                .hasMessageNotContaining("s3cret");

        String password = prefix + ".password";
        configure(Map.of("url", "jdbc:h2:mem:itself", "password", "s3cret${" + password + "}"));
        assertThatThrownBy(source::getConnection)
                .hasMessageStartingWith("OUTBOX-0206 " + password)
                .hasMessageNotContaining("s3cret");
    }

    @Test
    void without_a_driver_the_message_names_those_that_were_found_and_no_secret() {
        configure(Map.of("url", "jdbc:nosuch://ada:hush@host/db?password=hush2", "password", "hush3"));

        assertThatThrownBy(source::getConnection)
                .hasMessageStartingWith("OUTBOX-0202 no JDBC driver accepts jdbc:nosuch://***@host/db ")
                .hasMessageContaining("org.h2.Driver")
                .hasMessageNotContaining("hush");
    }

    @Test
    void a_drivers_message_that_quotes_the_url_is_not_passed_on() {
        configure(Map.of("url", "jdbc:h2:mem:x;PASSWORD=hush;NOSUCHSETTING=1"));

        assertThatThrownBy(source::getConnection)
                .isInstanceOf(SQLException.class)
                .hasMessageNotContaining("hush")
                .satisfies(e -> assertThat(((SQLException) e).getSQLState()).isNotNull());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // this driver takes no user and password before the host, and looks for a host of that name
                "jdbc:postgresql://ada:hush@127.0.0.1:1/db",
                "jdbc:postgresql://ada:хуш-hush@127.0.0.1:1/db",
                "jdbc:postgresql://ada:h-u-s-h@127.0.0.1:1/db",
                "jdbc:mysql://ada:hush/x@127.0.0.1:1/db",
                "jdbc:mysql://ada:hush#x@127.0.0.1:1/db",
                "jdbc:mysql://127.0.0.1:1/db?password=hush%hush",
            })
    void nothing_of_a_secret_in_a_url_is_passed_on_by_a_failure_or_its_causes(String url) {
        configure(Map.of("url", url));

        assertThatThrownBy(source::getConnection)
                .isInstanceOf(SQLException.class)
                .satisfies(e -> {
                    StringWriter printed = new StringWriter();
                    e.printStackTrace(new PrintWriter(printed));
                    assertThat(printed.toString()).contains("OUTBOX-0204 ").doesNotContain("hush", "хуш", "h-u-s-h");
                });
    }

    @Test
    void an_ordinary_failure_of_the_driver_is_passed_on_as_it_is() {
        configure(Map.of("url", "jdbc:postgresql://127.0.0.1:1/db", "user", "ada", "password", "hush"));

        assertThatThrownBy(source::getConnection)
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("127.0.0.1:1")
                .hasMessageNotContaining("hush");
    }

    @Test
    void urls_are_shown_without_user_password_and_parameters() {
        assertThat(new UrlSecrets("jdbc:mysql://ada:p@ss/w?rd@host:3306/db?user=x&password=y").without())
                .isEqualTo("jdbc:mysql://***@host:3306/db");
        assertThat(new UrlSecrets("jdbc:h2:mem:x;USER=ada;PASSWORD=y").without())
                .isEqualTo("jdbc:h2:mem:x");
        assertThat(new UrlSecrets("jdbc:mysql://address=(host=h)(user=ada)(password=y)/db").without())
                .isEqualTo("jdbc:mysql://address=(host=h)(user=***)(password=***)/db");
        assertThat(new UrlSecrets("jdbc:postgresql://db/shop?user=a&password=p@ssw0rd").without())
                .isEqualTo("jdbc:postgresql:***");
        assertThat(new UrlSecrets("jdbc:h2:tcp://host/db;PASSWORD=a@b").without())
                .isEqualTo("jdbc:h2:***");
        for (String typo : List.of("mysql://db/shop", "jdbc:mysql//db/shop", "JDBC:MYSQL://db/shop")) {
            assertThat(new UrlSecrets(typo + "?user=a&password=p@ss").without()).isEqualTo("***");
        }
        assertThat(new UrlSecrets("jdbc:postgresql://host/db").without()).isEqualTo("jdbc:postgresql://host/db");
        assertThat(new UrlSecrets("jdbc:oracle:thin:ada/hush@//host:1521/db").without())
                .doesNotContain("hush");
    }

    @Test
    void batches_are_rewritten_unless_the_url_says_otherwise() {
        assertThat(ConfiguredDataSource.defaultsFor("jdbc:mysql://host/db"))
                .containsEntry("rewriteBatchedStatements", "true")
                .containsEntry("readOnlyPropagatesToServer", "false")
                .containsEntry("connectTimeout", "10000");
        assertThat(ConfiguredDataSource.defaultsFor("jdbc:postgresql://host/db"))
                .containsEntry("reWriteBatchedInserts", "true")
                .containsEntry("logServerErrorDetail", "false")
                .containsEntry("tcpKeepAlive", "true");
        assertThat(ConfiguredDataSource.defaultsFor("jdbc:h2:mem:x")).isEmpty();
        assertThat(ConfiguredDataSource.defaultsFor("jdbc:mysql://host/db?rewriteBatchedStatements=false"))
                .containsOnlyKeys(
                        "readOnlyPropagatesToServer",
                        "connectTimeout",
                        "cachePrepStmts",
                        "prepStmtCacheSize",
                        "prepStmtCacheSqlLimit");
        assertThat(ConfiguredDataSource.defaultsFor("jdbc:postgresql://host/db?reWriteBatchedInserts=false"))
                .containsOnlyKeys("logServerErrorDetail", "tcpKeepAlive");
        assertThat(ConfiguredDataSource.defaultsFor("jdbc:postgresql://host/db?tcpKeepAlive=false"))
                .containsOnlyKeys("reWriteBatchedInserts", "logServerErrorDetail");
        assertThat(ConfiguredDataSource.defaultsFor("jdbc:postgresql://host/db?logServerErrorDetail=true"))
                .containsOnlyKeys("reWriteBatchedInserts", "tcpKeepAlive");
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdbc:mysql://127.0.0.1:%d/db", "jdbc:postgresql://127.0.0.1:%d/db?sslmode=disable"})
    void a_server_that_accepts_a_connection_and_then_says_nothing_holds_no_thread(String url) throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            configure(Map.of("url", url.formatted(silent.getLocalPort()), "user", "ada", "password", "hush"));
            source.setLoginTimeout(1);

            assertTimeoutPreemptively(
                    FOR_EVER, () -> assertThatThrownBy(source::connect).isInstanceOf(SQLException.class));
        }
    }

    @Test
    void opening_a_connection_is_limited_unless_the_url_says_otherwise() {
        assertThat(source.handshakeLimit("jdbc:mysql://host/db")).containsExactly(entry("socketTimeout", "20000"));
        assertThat(source.handshakeLimit("jdbc:mariadb://host/db")).containsExactly(entry("socketTimeout", "20000"));
        assertThat(source.handshakeLimit("jdbc:postgresql://host/db")).containsExactly(entry("socketTimeout", "20"));
        assertThat(source.handshakeLimit("jdbc:mysql://host/db?socketTimeout=7"))
                .isEmpty();
        assertThat(source.handshakeLimit("jdbc:mysql://one,two/db"))
                .as("this driver opens more connections later, which nothing would relax")
                .isEmpty();
        assertThat(source.handshakeLimit("jdbc:mysql:loadbalance://one/db")).isEmpty();
        assertThat(source.handshakeLimit("jdbc:h2:mem:x")).isEmpty();
    }

    @Test
    void a_pool_may_set_another_limit_for_opening_a_connection() {
        source.setLoginTimeout(3);

        assertThat(source.handshakeLimit("jdbc:mysql://host/db")).containsExactly(entry("socketTimeout", "3000"));
        assertThat(source.handshakeLimit("jdbc:postgresql://host/db")).containsExactly(entry("socketTimeout", "3"));
    }

    @Test
    void it_limits_too_how_long_a_host_may_take_to_accept_the_connection_unless_the_url_says_otherwise() {
        assertThat(source.hostLimit("jdbc:postgresql://host/db"))
                .as("without one")
                .isEmpty();
        source.setLoginTimeout(3);

        assertThat(source.hostLimit("jdbc:mysql://host/db")).containsExactly(entry("connectTimeout", "3000"));
        assertThat(source.hostLimit("jdbc:mariadb://host/db")).containsExactly(entry("connectTimeout", "3000"));
        assertThat(source.hostLimit("jdbc:postgresql://host/db")).containsExactly(entry("connectTimeout", "3"));
        assertThat(source.hostLimit("jdbc:postgresql://host/db?connectTimeout=7"))
                .isEmpty();
        assertThat(source.hostLimit("jdbc:mysql://one,two/db")).isEmpty();
        assertThat(source.hostLimit("jdbc:h2:mem:x")).isEmpty();
        source.setLoginTimeout(30);
        assertThat(source.hostLimit("jdbc:postgresql://host/db")).containsExactly(entry("connectTimeout", "10"));
    }

    private void configure(Map<String, String> values) {
        values.forEach((key, value) -> System.setProperty(prefix + "." + key, value));
    }
}

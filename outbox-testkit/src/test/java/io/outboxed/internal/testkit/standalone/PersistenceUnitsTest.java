package io.outboxed.internal.testkit.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A handler that writes through a unit on another database would seem to survive a crash, because here both databases
 * are in one transaction.
 */
class PersistenceUnitsTest {

    @Test
    void a_crash_is_not_shown_for_an_application_with_another_database(@TempDir Path classes) throws Exception {
        Optional<String> noCrash = elsewhere(classes, "java:app/jdbc/billing");
        assertThat(noCrash)
                .hasValueSatisfying(why -> assertThat(why)
                        .contains("{billing=java:app/jdbc/billing}")
                        .contains("Test this in a server"));

        SteppedRelay relay = new SteppedRelay(null, null, null, noCrash, () -> false);
        assertThatThrownBy(() -> relay.verifyRedelivery(() -> {}, () -> 1))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessage(noCrash.orElseThrow());
    }

    @Test
    void units_on_the_outboxs_data_source_are_in_its_transactions(@TempDir Path classes) throws Exception {
        assertThat(elsewhere(classes, "java:app/jdbc/outbox")).isEmpty();
    }

    @Test
    void units_whose_transactions_publish_nothing_do_not_count(@TempDir Path classes) throws Exception {
        assertThat(elsewhere(classes, "java:app/jdbc/billing", "billing")).isEmpty();
    }

    private static Optional<String> elsewhere(Path classes, String dataSource, String... independent) throws Exception {
        Path file = Files.createDirectories(classes.resolve("META-INF")).resolve("persistence.xml");
        Files.writeString(file, """
                <persistence xmlns="https://jakarta.ee/xml/ns/persistence" version="3.0">
                  <persistence-unit name="billing" transaction-type="JTA">
                    <jta-data-source>%s</jta-data-source>
                  </persistence-unit>
                </persistence>
                """.formatted(dataSource));
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {classes.toUri().toURL()}, before)) {
            thread.setContextClassLoader(loader);
            return new PersistenceUnits(null, null).elsewhere(Set.of(independent));
        } finally {
            thread.setContextClassLoader(before);
        }
    }
}

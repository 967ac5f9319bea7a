package io.outboxed.it.executor;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.shop.Await;
import io.outboxed.shop.ServerExtension;
import io.outboxed.shop.WarUnderTest;
import jakarta.inject.Inject;
import java.net.URISyntaxException;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.jboss.shrinkwrap.api.spec.JavaArchive;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Without an executor of the application, handlers are called on the server's default one if that runs all workers at
 * once: two here, because WildFly's runs twice as many tasks as there are processors, and Open Liberty's few.
 */
@ExtendWith({ServerExtension.class, ArquillianExtension.class})
class DefaultExecutorIT {

    @Inject
    Bell bell;

    @Deployment
    static WebArchive war() throws URISyntaxException {
        WebArchive war = WarUnderTest.withAssertions()
                .addClass(Await.class)
                .addPackage(DefaultExecutorIT.class.getPackage())
                .addAsLibrary(twoWorkers());
        war.delete("/WEB-INF/classes/io/outboxed/shop/fulfilment/FulfilmentExecutor.class");
        return war;
    }

    private static JavaArchive twoWorkers() {
        String settings = "config_ordinal=200\noutbox.relay.workers=2\n";
        return ShrinkWrap.create(JavaArchive.class, "two-workers.jar")
                .addAsManifestResource(new StringAsset(settings), "microprofile-config.properties");
    }

    @Test
    void handlers_run_on_the_servers_default_executor() {
        // takes longer than a task of the executor
        for (int i = 1; i <= 300; i++) {
            bell.ring(i);
        }

        Await.until("all were heard", 60, () -> bell.threads().size() == 300, bell::threads);

        assertThat(bell.requests()).as("one for each call, not for each task").hasSize(300);
        assertThat(bell.threads())
                .allSatisfy(
                        name -> assertThat(name)
                                .containsPattern(
                                        "(?i)default.*ManagedExecutorService|ManagedExecutorService.*default|^Default Executor"));
    }
}

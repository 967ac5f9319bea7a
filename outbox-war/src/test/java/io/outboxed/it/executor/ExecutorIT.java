package io.outboxed.it.executor;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.it.capture.ThisServer;
import io.outboxed.shop.Await;
import io.outboxed.shop.ServerExtension;
import io.outboxed.shop.WarUnderTest;
import jakarta.inject.Inject;
import java.net.URISyntaxException;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The demo defines {@code java:app/concurrent/outbox}, and its handlers are called there. */
@ExtendWith({ServerExtension.class, ArquillianExtension.class})
class ExecutorIT {

    @Inject
    Bell bell;

    @Deployment
    static WebArchive war() throws URISyntaxException {
        return WarUnderTest.withAssertions()
                .addClasses(Await.class, ThisServer.class)
                .addAsResource(ThisServer.resource(), ThisServer.FILE)
                .addPackage(ExecutorIT.class.getPackage());
    }

    @Test
    void handlers_run_on_the_threads_of_the_applications_executor() {
        // takes longer than a task of the executor
        for (int i = 1; i <= 300; i++) {
            bell.ring(i);
        }

        Await.until("all were heard", 60, () -> bell.threads().size() == 300, bell::threads);

        assertThat(bell.requests()).as("one for each call, not for each task").hasSize(300);
        assertThat(bell.threads()).allSatisfy(name -> assertThat(name).contains(ThisServer.handlerThreads()));
    }
}

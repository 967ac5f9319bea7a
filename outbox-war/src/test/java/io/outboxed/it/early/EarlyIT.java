package io.outboxed.it.early;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.shop.ServerExtension;
import io.outboxed.shop.WarUnderTest;
import jakarta.inject.Inject;
import java.net.URISyntaxException;
import java.sql.SQLException;
import java.time.Duration;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith({ServerExtension.class, ArquillianExtension.class})
class EarlyIT {

    @Inject
    EarlyBird bird;

    @Inject
    Chick chick;

    @Deployment
    static WebArchive war() throws URISyntaxException {
        return WarUnderTest.withAssertions().addPackage(EarlyIT.class.getPackage());
    }

    @Test
    void no_handler_is_called_before_the_beans_of_the_start_are_ready() {
        assertThat(chick.isCalledWithin(Duration.ofSeconds(60))).isTrue();
        assertThat(chick.calls()).containsExactly(true);
    }

    @Test
    void an_event_of_the_start_waits_for_the_handlers_of_its_own_deployment() throws SQLException {
        assertThat(bird.versions()).hasSize(1).allMatch(version -> version > 0);
    }
}

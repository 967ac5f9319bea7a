package io.outboxed.it.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.PublishOptions;
import io.outboxed.it.publish.Receipts.Receipt;
import io.outboxed.shop.ServerExtension;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The same application, with {@code outbox.payload.format=binary}. */
@ExtendWith({ServerExtension.class, ArquillianExtension.class})
class BinaryPublishIT extends PublishTests {

    @Deployment
    static WebArchive war() throws URISyntaxException {
        return war("binary");
    }

    @Test
    void bytes_are_received_as_they_were_published() {
        Receipt received = received(publishBytes(), 1).get(0);

        assertThat(received.message().bytes()).isEqualTo(BYTES);
        assertThat(received.message().text()).isNull();
    }

    @Test
    void an_event_is_stored_as_bytes_and_received_as_an_event() {
        List<Receipt> received = received(publish("grün", PublishOptions.none()));

        assertThat(received).allSatisfy(receipt -> {
            assertThat(new String(receipt.message().bytes(), StandardCharsets.UTF_8))
                    .isEqualTo("{\"id\":\"grün\"}");
            assertThat(receipt.message().text()).isNull();
        });
        assertThat(received)
                .extracting(Receipt::event)
                .filteredOn(Objects::nonNull)
                .containsOnly(new Later("grün"))
                .hasSize(HANDLERS_OF_LATER - 1);
    }

    @Test
    void text_of_any_format_is_stored_as_bytes() {
        UUID id = publisher.publish("a,b", PublishOptions.none().type("it.bytes"));

        assertThat(received(id, 1).get(0).message().bytes()).containsExactly('a', ',', 'b');
    }
}

package io.outboxed.shop;

import static org.assertj.core.api.Assertions.assertThat;

import org.jboss.arquillian.container.spi.client.protocol.metadata.HTTPContext;
import org.jboss.arquillian.container.spi.client.protocol.metadata.ProtocolMetaData;
import org.jboss.arquillian.container.spi.client.protocol.metadata.Servlet;
import org.junit.jupiter.api.Test;

class KnownServletTest {
    private final HTTPContext context = new HTTPContext("127.0.0.1", 1234);
    private final ProtocolMetaData metaData = new ProtocolMetaData().addContext(context);

    @Test
    void a_list_of_servlets_that_was_read_too_early_is_completed() {
        KnownServlet.Deployed.complete(metaData, "outbox.war");

        assertThat(context.getServletByName(KnownServlet.NAME).getContextRoot()).isEqualTo("/outbox");
    }

    @Test
    void what_the_adapter_knows_stays() {
        context.add(new Servlet(KnownServlet.NAME, "/elsewhere"));

        KnownServlet.Deployed.complete(metaData, "outbox.war");

        assertThat(context.getServlets()).hasSize(1);
        assertThat(context.getServletByName(KnownServlet.NAME).getContextRoot()).isEqualTo("/elsewhere");
    }
}

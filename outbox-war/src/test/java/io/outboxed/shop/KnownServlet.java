package io.outboxed.shop;

import org.jboss.arquillian.container.spi.client.protocol.metadata.HTTPContext;
import org.jboss.arquillian.container.spi.client.protocol.metadata.ProtocolMetaData;
import org.jboss.arquillian.container.spi.client.protocol.metadata.Servlet;
import org.jboss.arquillian.container.spi.event.container.AfterDeploy;
import org.jboss.arquillian.core.api.annotation.Observes;
import org.jboss.arquillian.core.spi.LoadableExtension;
import org.jboss.shrinkwrap.api.Archive;
import org.jboss.shrinkwrap.api.spec.WebArchive;

/**
 * Tells Arquillian where the servlet is that runs tests in the server, if the server's adapter does not. Payara Micro's
 * takes the list of servlets from what the server prints, and may have read no more than its beginning:
 * <a href="https://github.com/payara/ecosystem-arquillian-connectors">its source</a>.
 */
public final class KnownServlet implements LoadableExtension {
    static final String NAME = "ArquillianServletRunnerEE9";

    @Override
    public void register(ExtensionBuilder builder) {
        builder.observer(Deployed.class);
    }

    /** Created by Arquillian. */
    public static final class Deployed {
        public void complete(@Observes AfterDeploy event, ProtocolMetaData metaData) {
            Archive<?> archive = event.getDeployment().getArchive();
            if (archive instanceof WebArchive) {
                complete(metaData, archive.getName());
            }
        }

        static void complete(ProtocolMetaData metaData, String war) {
            for (HTTPContext context : metaData.getContexts(HTTPContext.class)) {
                if (context.getServlets().isEmpty()) {
                    context.add(new Servlet(NAME, "/" + war.replaceFirst("\\.war$", "")));
                }
            }
        }
    }
}

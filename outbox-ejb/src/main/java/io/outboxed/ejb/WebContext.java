package io.outboxed.ejb;

import jakarta.inject.Inject;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.annotation.WebListener;

/**
 * Opens the relay's threads from the web module, so that they have its context and not that of a session bean: on
 * Payara 6 a thread with a session bean's context does not enlist connections in transactions that {@code
 * @Transactional} begins, so that what a handler's beans write there would survive a rollback.
 *
 * <p>Stops the relay before the web module ends: Payara closes the data sources that the module's web.xml or annotations
 * define before it destroys the session beans, and the node could no longer release its shards.
 */
@WebListener
public class WebContext implements ServletContextListener {

    @Inject
    RelayThreads threads;

    @Inject
    ServerName server;

    @Override
    public void contextInitialized(ServletContextEvent started) {
        server.is(started.getServletContext());
        threads.open();
    }

    @Override
    public void contextDestroyed(ServletContextEvent ended) {
        threads.contextEnds();
    }
}

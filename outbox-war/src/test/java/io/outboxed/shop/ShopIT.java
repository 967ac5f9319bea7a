package io.outboxed.shop;

import java.io.File;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.importer.ZipImporter;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;

/** The packaged WAR on a real server, from outside; run once per database. One deployment, since each starts a server. */
@ExtendWith({ServerExtension.class, ArquillianExtension.class})
class ShopIT implements OrderTests, HostileInputTests, OpenApiTests {

    private final Shop shop = Shop.at(ServerExtension.port());

    @Deployment(testable = false)
    static WebArchive war() {
        return ShrinkWrap.create(ZipImporter.class, "outbox.war")
                .importFrom(new File(System.getProperty("it.war")))
                .as(WebArchive.class);
    }

    /** A server whose deployment failed is up and ready all the same. */
    @BeforeAll
    static void deployed() {
        Await.until(
                "the WAR is deployed; the server's log in this test's output says why not",
                30,
                () -> Shop.at(ServerExtension.port()).deployed());
    }

    @Override
    public Shop shop() {
        return shop;
    }
}

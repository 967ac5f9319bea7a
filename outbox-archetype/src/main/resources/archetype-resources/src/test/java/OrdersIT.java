package ${package};

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboxed.testkit.OutboxTester;
import jakarta.inject.Inject;
import java.io.File;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.importer.ZipImporter;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The packaged WAR in Payara Micro; the test runs inside it. */
@ExtendWith(ArquillianExtension.class)
class OrdersIT {

    @Deployment
    static WebArchive war() throws Exception {
        File kit = new File(OutboxTester.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        return ShrinkWrap.create(ZipImporter.class, "${artifactId}.war")
                .importFrom(new File("target/${artifactId}.war"))
                .as(WebArchive.class)
                .addClass(OrdersIT.class)
                .addAsLibrary(kit);
    }

    @Inject
    Orders orders;

    @Inject
    Warehouse warehouse;

    @Inject
    OutboxTester outbox;

    @Test
    void an_order_is_shipped_once() {
        orders.place("o-1", "tea");
        outbox.drain();
        assertTrue(warehouse.hasShipped("o-1"));
        assertEquals(1, outbox.calls("Warehouse.ship").size());
    }
}

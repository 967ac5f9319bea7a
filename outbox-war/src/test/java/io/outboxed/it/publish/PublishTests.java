package io.outboxed.it.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.PublishOptions;
import io.outboxed.it.publish.Receipts.Receipt;
import io.outboxed.shop.ServerExtension;
import io.outboxed.shop.WarUnderTest;
import jakarta.inject.Inject;
import java.io.File;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.assertj.core.api.Assertions;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.asset.EmptyAsset;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.jboss.shrinkwrap.api.importer.ZipImporter;
import org.jboss.shrinkwrap.api.spec.JavaArchive;
import org.jboss.shrinkwrap.api.spec.WebArchive;

/** The application of these tests, which both payload formats use. */
abstract class PublishTests {
    static final int HANDLERS_OF_LATER = 3;
    static final byte[] BYTES = {0, -1, 127, -128, 10, '"', '{'};

    @Inject
    Publisher publisher;

    @Inject
    Receipts receipts;

    static WebArchive war(String format) throws URISyntaxException {
        JavaArchive library = ShrinkWrap.create(JavaArchive.class, "publish.jar")
                .addPackage(PublishTests.class.getPackage())
                .addClass(ServerExtension.class)
                .addAsManifestResource(EmptyAsset.INSTANCE, "beans.xml")
                .addAsManifestResource(
                        new StringAsset("config_ordinal=200\noutbox.payload.format=" + format + "\n"),
                        "microprofile-config.properties");
        return ShrinkWrap.create(ZipImporter.class, "publish.war")
                .importFrom(new File(System.getProperty("it.war")))
                .as(WebArchive.class)
                .addAsLibraries(library)
                .addAsLibrary(WarUnderTest.jarOf(Assertions.class));
    }

    UUID publish(String id, PublishOptions options) {
        return publisher.publish(new Later(id), options);
    }

    UUID publishBytes() {
        return publisher.publish(BYTES, PublishOptions.none().type("it.bytes"));
    }

    /** Waits until all handlers of the event have been called. */
    List<Receipt> received(UUID message) {
        return received(message, HANDLERS_OF_LATER);
    }

    List<Receipt> received(UUID message, int handlers) {
        await(() -> receipts.of(message).size() >= handlers);
        return receipts.of(message);
    }

    static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("within 60 s").isLessThan(deadline);
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
    }
}

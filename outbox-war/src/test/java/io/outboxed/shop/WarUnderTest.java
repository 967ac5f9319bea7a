package io.outboxed.shop;

import java.io.File;
import java.net.URISyntaxException;
import org.assertj.core.api.Assertions;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.importer.ZipImporter;
import org.jboss.shrinkwrap.api.spec.WebArchive;

/** The WAR of this run, for tests inside the server. */
public final class WarUnderTest {

    private WarUnderTest() {}

    /** With what each of these tests needs besides its own classes. */
    public static WebArchive withAssertions() throws URISyntaxException {
        return ShrinkWrap.create(ZipImporter.class, "outbox.war")
                .importFrom(new File(System.getProperty("it.war")))
                .as(WebArchive.class)
                .addClass(ServerExtension.class)
                .addAsLibrary(jarOf(Assertions.class));
    }

    /** A library of this class path. */
    public static File jarOf(Class<?> type) throws URISyntaxException {
        return new File(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    }
}

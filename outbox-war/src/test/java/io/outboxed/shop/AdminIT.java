package io.outboxed.shop;

import java.io.File;
import java.util.UUID;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.jboss.shrinkwrap.api.importer.ZipImporter;
import org.jboss.shrinkwrap.api.spec.JavaArchive;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;

/** The admin API, enabled: each role with each operation, and an operator's work. */
@ExtendWith({ServerExtension.class, ArquillianExtension.class})
class AdminIT
        implements AdminRoleTests,
                AdminAccessTests,
                AdminInputTests,
                AdminBrowserTests,
                AdminWorkTests,
                AdminWaitingTests,
                AdminPauseTests,
                AdminBulkTests,
                AdminExampleTests {
    private static final String PASSWORD = UUID.randomUUID().toString();

    private final Shop shop = Shop.at(ServerExtension.port());

    @Deployment(testable = false)
    static WebArchive war() {
        return ShrinkWrap.create(ZipImporter.class, "outbox.war")
                .importFrom(new File(System.getProperty("it.war")))
                .as(WebArchive.class)
                .addClasses(AdminUsers.class, ScanningApplication.class, Courier.class)
                .addClasses(Cellar.class, Cellar.Stored.class)
                .addAsLibrary(ShrinkWrap.create(JavaArchive.class, "settings.jar")
                        .addAsManifestResource(
                                new StringAsset("config_ordinal=200\noutbox.admin.enabled=true\n"
                                        + "outbox.admin.edit=true\noutbox.retry.initial-delay=100ms\n"
                                        + Courier.SETTINGS
                                        + AdminUsers.PASSWORD + "=" + PASSWORD + "\n"),
                                "microprofile-config.properties"));
    }

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

    @Override
    public AdminClient as(String user) {
        AdminClient anonymous = AdminClient.anonymous(ServerExtension.port());
        return user == null ? anonymous : anonymous.withPassword(user, PASSWORD);
    }
}

package io.outboxed.shop;

import io.outboxed.servers.ApplicationServer;
import io.outboxed.servers.ServerSetup;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A server with the packaged WAR in a process of its own, for tests that end it in some way. */
final class ShopServer implements AutoCloseable {
    private static final Pattern PASSWORD = Pattern.compile("OUTBOX-0704 .* password: (\\S+)");

    private final ApplicationServer server;
    private final Shop shop;

    private ShopServer(ApplicationServer server) {
        this.server = server;
        this.shop = Shop.at(server.port());
    }

    /** @param name of its directory under {@code target/it} */
    static ShopServer start(String name, TestDatabase database, String... moreJvmOptions) {
        ShopServer started = new ShopServer(open(ServerUnderTest.of(name, database), moreJvmOptions));
        started.server.start(Map.of());
        return started;
    }

    /** Starts a server with another WAR than this build's. */
    static ShopServer startWith(Path war, String name, TestDatabase database, String... moreJvmOptions) {
        ShopServer started = new ShopServer(open(ServerUnderTest.of(name, war, database), moreJvmOptions));
        started.server.start(Map.of());
        return started;
    }

    /** Starts a server that replaces the application, see {@link #awaitReplaced()}. */
    static ShopServer startAndReplace(String name, TestDatabase database, String... moreJvmOptions) {
        ShopServer started = new ShopServer(open(ServerUnderTest.of(name, database), moreJvmOptions));
        started.server.startAndReplace(Map.of());
        return started;
    }

    private static ApplicationServer open(ServerSetup without, String... moreJvmOptions) {
        ServerSetup setup = without;
        for (String option : moreJvmOptions) {
            setup = setup.with(option);
        }
        return ApplicationServer.of(setup);
    }

    /** Waits until the deployed WAR gives any answer. */
    ShopServer ready() {
        server.awaitStarted();
        Await.until("the WAR is deployed", 60, shop::deployed, server::logged);
        return this;
    }

    /**
     * Waits until a second copy was deployed beside the WAR, the first undeployed and deployed again, the second
     * undeployed.
     */
    ShopServer awaitReplaced() {
        server.awaitReplaced();
        return this;
    }

    Shop shop() {
        return shop;
    }

    Health health() {
        return Health.at(server.healthPort());
    }

    /** The admin API as the demo's user sees it, whose password is logged at each start if the API is enabled. */
    AdminClient admin() {
        Matcher logged = PASSWORD.matcher(log());
        if (!logged.find()) {
            throw new AssertionError("no password is logged");
        }
        return AdminClient.anonymous(server.port()).withPassword("demo", logged.group(1));
    }

    /** What the server has logged so far. */
    String log() {
        return server.logged();
    }

    /** SIGKILL. */
    void kill() {
        server.kill();
    }

    /** SIGTERM: the application is undeployed. */
    void stop() {
        if (!server.stop()) {
            throw new AssertionError("the server did not end in time and was killed; its log: " + server.logged());
        }
    }

    @Override
    public void close() {
        server.kill();
        server.close();
    }
}

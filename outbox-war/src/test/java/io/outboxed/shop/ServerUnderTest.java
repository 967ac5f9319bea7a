package io.outboxed.shop;

import io.outboxed.servers.ServerSetup;
import java.nio.file.Path;

/** The application server of this run, as the build names it. */
public final class ServerUnderTest {

    private ServerUnderTest() {}

    /** @param name of its directory under {@code target/it}, with its log */
    public static ServerSetup of(String name, Path war) {
        return ServerSetup.of(
                        System.getProperty("it.server"),
                        Path.of(System.getProperty("it.distribution")),
                        war,
                        Path.of(System.getProperty("it.directory"), name))
                .shortLived();
    }

    static ServerSetup of(String name, TestDatabase database) {
        return of(name, Path.of(System.getProperty("it.war")), database);
    }

    static ServerSetup of(String name, Path war, TestDatabase database) {
        return of(name, war)
                .with("-Doutbox.datasource.url=" + database.url())
                .with("-Doutbox.datasource.user=" + database.user())
                .with("-Doutbox.datasource.password=" + database.password());
    }
}

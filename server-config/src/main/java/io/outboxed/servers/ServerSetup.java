package io.outboxed.servers;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How an application server is started. The JDK of this JVM runs it.
 *
 * @param server which one: {@code payara}, {@code wildfly} or {@code liberty}
 * @param distribution the file that Maven Central distributes: Payara Micro's jar, WildFly's or Open Liberty's zip
 * @param war the application; its name without {@code .war} is its path. On WildFly it may also be an EAR
 * @param directory for the log and the server's own files, kept when the server is closed
 * @param port of HTTP on 127.0.0.1
 * @param jvmOptions added to the server's own, over which they win
 * @param dataSource one that the server defines; empty where the application brings its own
 */
public record ServerSetup(
        String server,
        Path distribution,
        Path war,
        Path directory,
        int port,
        List<String> jvmOptions,
        Optional<ServerDataSource> dataSource) {

    public ServerSetup {
        distribution = distribution.toAbsolutePath().normalize();
        war = war.toAbsolutePath().normalize();
        directory = directory.toAbsolutePath().normalize();
        jvmOptions = List.copyOf(jvmOptions);
    }

    /** On a free port. */
    public static ServerSetup of(String server, Path distribution, Path war, Path directory) {
        return new ServerSetup(server, distribution, war, directory, FreePort.any(), List.of(), Optional.empty());
    }

    public ServerSetup onPort(int fixed) {
        return new ServerSetup(server, distribution, war, directory, fixed, jvmOptions, dataSource);
    }

    /** One more option for the server's JVM, for example {@code -Xmx1g}. */
    public ServerSetup with(String jvmOption) {
        List<String> all = new ArrayList<>(jvmOptions);
        all.add(jvmOption);
        return new ServerSetup(server, distribution, war, directory, port, all, dataSource);
    }

    public ServerSetup with(ServerDataSource defined) {
        return new ServerSetup(server, distribution, war, directory, port, jvmOptions, Optional.of(defined));
    }

    /** The path of the application, without slashes. */
    String application() {
        return war.getFileName().toString().replaceFirst("\\.[we]ar$", "");
    }

    /** With its dot. */
    String extension() {
        return war.getFileName().toString().substring(application().length());
    }

    String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }
}

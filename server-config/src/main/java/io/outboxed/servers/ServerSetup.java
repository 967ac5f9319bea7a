package io.outboxed.servers;

import io.outboxed.servers.process.FreePort;
import io.outboxed.servers.process.ServerFailedException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How an application server is started. It runs on the JDK of this JVM.
 *
 * @param server {@code payara} (Micro), {@code payara-server}, {@code wildfly} or {@code liberty}
 * @param distribution the file from Maven Central: Payara Micro's jar, or the zip of another server
 * @param war the application; its name without {@code .war} is its path. On WildFly it may also be an EAR
 * @param directory for the log and the server's own files, kept when the server is closed
 * @param port of HTTP on 127.0.0.1
 * @param jvmOptions added to the server's own options, and take precedence over them
 * @param dataSource defined in the server; empty if the application has its own
 * @param queue of a message broker inside the server; empty for a server without a broker. Only WildFly
 * @param reactiveMessaging whether the server has MicroProfile Reactive Messaging. Only WildFly without a queue, and Open
 *     Liberty
 */
public record ServerSetup(
        String server,
        Path distribution,
        Path war,
        Path directory,
        int port,
        List<String> jvmOptions,
        Optional<ServerDataSource> dataSource,
        Optional<ServerQueue> queue,
        boolean reactiveMessaging) {

    public ServerSetup {
        distribution = distribution.toAbsolutePath().normalize();
        war = war.toAbsolutePath().normalize();
        directory = directory.toAbsolutePath().normalize();
        jvmOptions = List.copyOf(jvmOptions);
        if (reactiveMessaging && (server.startsWith("payara") || queue.isPresent())) {
            throw new ServerFailedException(
                    "Reactive Messaging can be added to liberty, and to wildfly without a queue");
        }
    }

    /** Uses a free port. */
    public static ServerSetup of(String server, Path distribution, Path war, Path directory) {
        return new ServerSetup(
                server,
                distribution,
                war,
                directory,
                FreePort.any(),
                List.of(),
                Optional.empty(),
                Optional.empty(),
                false);
    }

    public ServerSetup onPort(int fixed) {
        return new ServerSetup(
                server, distribution, war, directory, fixed, jvmOptions, dataSource, queue, reactiveMessaging);
    }

    /** One more option for the server's JVM, for example {@code -Xmx1g}. */
    public ServerSetup with(String jvmOption) {
        List<String> all = new ArrayList<>(jvmOptions);
        all.add(jvmOption);
        return new ServerSetup(server, distribution, war, directory, port, all, dataSource, queue, reactiveMessaging);
    }

    /**
     * For a server that ends soon: the work of the second compiler and of a concurrent collector would not pay. With one
     * compiler the JVM has 48 MB for code instead of 240; a server that has taken some twenty applications fills them and
     * answers requests with {@code VirtualMachineError: Out of space in CodeCache for adapters}.
     */
    public ServerSetup shortLived() {
        return with("-XX:TieredStopAtLevel=1")
                .with("-XX:ReservedCodeCacheSize=240m")
                .with("-XX:+UseSerialGC");
    }

    public ServerSetup with(ServerDataSource defined) {
        return new ServerSetup(
                server, distribution, war, directory, port, jvmOptions, Optional.of(defined), queue, reactiveMessaging);
    }

    public ServerSetup with(ServerQueue defined) {
        if (!server.equals("wildfly")) {
            throw new ServerFailedException("a queue can be defined in wildfly only, not in " + server);
        }
        return new ServerSetup(
                server,
                distribution,
                war,
                directory,
                port,
                jvmOptions,
                dataSource,
                Optional.of(defined),
                reactiveMessaging);
    }

    public ServerSetup withReactiveMessaging() {
        return new ServerSetup(server, distribution, war, directory, port, jvmOptions, dataSource, queue, true);
    }

    /** The path of the application, without slashes. */
    String application() {
        return war.getFileName().toString().replaceFirst("\\.[we]ar$", "");
    }

    /** The file's extension with its dot. */
    String extension() {
        return war.getFileName().toString().substring(application().length());
    }

    String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }
}

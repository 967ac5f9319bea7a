package io.outboxed.servers;

import io.outboxed.servers.process.Children;
import io.outboxed.servers.process.FreePort;
import io.outboxed.servers.process.ServerFailedException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Runs the demo shop on a chosen server and database until it is interrupted. Its data is kept in the given directory.
 */
public final class Demo {
    private static final Set<String> SERVERS = Set.of("payara", "wildfly", "liberty");
    private static final int LAST_PORT = 65_535;
    private static final Pattern PASSWORD = Pattern.compile("OUTBOX-0704 .* password: (\\S+)");

    private final ServerSetup setup;
    private final Path directory;
    private final String database;
    private final boolean withKafka;

    private Demo(ServerSetup setup, Path directory, String database, boolean withKafka) {
        this.setup = withKafka ? setup.with(DemoKafka.ROUTE) : setup;
        this.directory = directory;
        this.database = database;
        this.withKafka = withKafka;
    }

    /**
     * @param arguments the server, its distribution, the WAR, a directory for data, the port, the database, {@code true}
     *     for a Kafka broker
     */
    public static void main(String[] arguments) {
        String server = server(arguments[0]);
        Path directory = Path.of(arguments[3]).toAbsolutePath();
        ServerSetup setup = ServerSetup.of(
                        server, Path.of(arguments[1]), Path.of(arguments[2]), directory.resolve(server))
                .onPort(port(arguments[4]));
        new Demo(setup, directory, arguments[5], isWanted(arguments[6])).run();
    }

    /** Not Payara Server: the build that runs the demo has no distribution of it. */
    private static String server(String chosen) {
        if (!SERVERS.contains(chosen)) {
            throw new ServerFailedException("demo.server is '" + chosen + "': choose payara, wildfly or liberty");
        }
        return chosen;
    }

    private static int port(String chosen) {
        int port = chosen.matches("\\d{1,5}") ? Integer.parseInt(chosen) : 0;
        if (port < 1 || port > LAST_PORT) {
            throw new ServerFailedException("demo.port is '" + chosen + "': choose a port from 1 to " + LAST_PORT);
        }
        return port;
    }

    private static boolean isWanted(String kafka) {
        if (!kafka.equals("true") && !kafka.equals("false")) {
            throw new ServerFailedException(
                    "demo.kafka is '" + kafka + "': write -Ddemo.kafka for a Kafka broker, or leave it out");
        }
        return kafka.equals("true");
    }

    private void run() {
        try (ApplicationServer server = ApplicationServer.of(setup)) {
            refuseTakenPort();
            say("Starting the database (" + database + ") ...");
            try (DemoDatabase data = DemoDatabase.start(database, directory);
                    DemoKafka kafka = withKafka ? startKafka() : null) {
                say("Database: " + data.url());
                say("Starting " + server.name() + ", which takes some 15 seconds, and longer the first time. Its log: "
                        + server.log());
                Map<String, String> environment = new HashMap<>(data.environment());
                environment.putIfAbsent("OUTBOX_ADMIN_ENABLED", "true");
                Optional.ofNullable(kafka).ifPresent(broker -> environment.putAll(broker.environment()));
                server.start(environment)
                        .awaitAnswer("/outbox/shop/dead-letters")
                        .awaitAnswer("/outbox/");
                say(howToTry(password(server.logged())));
                Optional.ofNullable(kafka).ifPresent(broker -> say(broker.howToTry()));
                awaitEnd(server);
            }
        }
    }

    private DemoKafka startKafka() {
        say("Starting Kafka ...");
        return DemoKafka.start(directory.resolve("kafka"), Demo::say);
    }

    private static void awaitEnd(ApplicationServer server) {
        int code = server.awaitEnd();
        Children.leaveToHook();
        throw new ServerFailedException(server.name() + " ended with exit code " + code + ", its log is " + server.log()
                + ". Start the demo again: nothing that was answered is lost.");
    }

    private void refuseTakenPort() {
        if (!FreePort.isFree(setup.port())) {
            throw new ServerFailedException(
                    "Port " + setup.port() + " is in use: choose another one with -Ddemo.port=<port>");
        }
    }

    /** The application generates one for each start. */
    static String password(String log) {
        Matcher found = PASSWORD.matcher(log);
        return found.find() ? found.group(1) : "<the password of OUTBOX-0704 in the log>";
    }

    private String howToTry(String password) {
        String shop = "http://localhost:" + setup.port() + "/outbox/";
        return """

                The shop is open:  %1$s

                  curl -i %1$sshop/orders -H 'Content-Type: application/json' \\
                       -d '{"customer":"ada","item":"tea","quantity":2}'
                  curl '%1$sshop/mails?order=1'

                The admin API, with the password of this start:

                  curl -u demo:%3$s %1$soutbox/admin/v1/status

                The items "soldout", "flaky" and "poison" show what happens when something fails.
                Data is kept in %2$s
                End with Ctrl-C.
                """.formatted(shop, directory, password);
    }

    private static void say(String text) {
        System.out.println(text);
        System.out.flush();
    }
}

package io.outboxed.servers;

import io.outboxed.servers.files.Cache;
import io.outboxed.servers.files.Zip;
import io.outboxed.servers.process.ServerProcess;
import io.outboxed.servers.process.ServerProgram;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The Payara Server that Outboxed runs on: its zip unpacked, and beside it a domain that {@code asadmin create-domain}
 * has created there. Once per machine and user.
 */
record PayaraHome(Path installation, Path newDomain) {
    /** The name of each domain, and of its directory. */
    static final String DOMAIN = "outbox";

    private static final String BROKER_PORT = "\"JMS_PROVIDER_PORT\" value=\"%d\"";
    private static final int DEFAULT_BROKER_PORT = 7676;
    private static final String LISTENERS =
            "configs.config.server-config.network-config.network-listeners.network-listener.";

    private static final String MAIN_CLASS = "com.sun.enterprise.glassfish.bootstrap.ASMain";
    private static final String MAIN_JAR = "glassfish/modules/glassfish.jar";

    /** @param zip Payara's distribution, {@code fish.payara.distributions:payara} */
    static PayaraHome unpackedFrom(Path zip) {
        String name = zip.getFileName().toString().replace(".zip", "") + "-server";
        Path made = Cache.once(name, target -> prepare(zip, target));
        return new PayaraHome(made.resolve("home"), made.resolve(DOMAIN));
    }

    private static void prepare(Path zip, Path target) {
        try {
            new Zip(zip).unpackTo(target.resolve("home"));
        } catch (IOException e) {
            throw new UncheckedIOException("Unpacking Payara Server from " + zip + " failed", e);
        }
        List<String> arguments = List.of(
                "create-domain", "--nopassword", "--domaindir", target.toString(), "--checkports=false", DOMAIN);
        asadmin(target.resolve("home"), arguments, target.resolve("prepare.log"));
    }

    /**
     * The domain's files contain no path. A command before the start comes too late for the broker's port, and {@code
     * create-domain} with a port takes ten seconds.
     */
    void copyDomain(Path target, int brokerPort) throws IOException {
        try (Stream<Path> all = Files.walk(newDomain)) {
            for (Path path : (Iterable<Path>) all::iterator) {
                Files.copy(path, target.resolve(newDomain.relativize(path).toString()));
            }
        }
        Path configuration = target.resolve("config/domain.xml");
        String text = Files.readString(configuration);
        Files.writeString(
                configuration,
                text.replace(BROKER_PORT.formatted(DEFAULT_BROKER_PORT), BROKER_PORT.formatted(brokerPort)));
    }

    /** Commands before the start of a domain. */
    static String listeningOn(int http, int admin) {
        return new ShippedFile("payara/loopback.asadmin").text()
                + "set " + LISTENERS + "http-listener-1.port=" + http + "\n"
                + "set " + LISTENERS + "admin-listener.port=" + admin + "\n";
    }

    /**
     * The command that {@code asadmin start-domain} would run. It is run without that program, which would be a second
     * process to end.
     *
     * @param more JVM options, which take precedence over the domain's
     * @param options of {@code start-domain}
     */
    List<String> command(String java, List<String> more, Path domain, List<String> options) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("start-domain", "--dry-run", "--verbose"));
        arguments.addAll(options);
        arguments.addAll(List.of("--domaindir", domain.getParent().toString(), DOMAIN));
        Path log = domain.resolve("start-domain.log");
        asadmin(installation, arguments, log);
        List<String> printed = Files.readAllLines(log);
        int classPath = printed.indexOf("-cp");
        int mainClass = printed.indexOf(MAIN_CLASS);
        List<String> command = new ArrayList<>(List.of(java));
        command.addAll(printed.subList(classPath + 2, mainClass));
        command.addAll(more);
        command.addAll(List.of("-jar", installation.resolve(MAIN_JAR).toString()));
        printed.subList(mainClass + 1, printed.size()).stream()
                .takeWhile(line -> !line.isEmpty())
                .forEach(command::add);
        return command;
    }

    /** Runs a command of {@code asadmin} on a server. */
    void run(int adminPort, List<String> command, Path log) {
        List<String> arguments = new ArrayList<>(List.of("--port", Integer.toString(adminPort)));
        arguments.addAll(command);
        asadmin(installation, arguments, log);
    }

    private static void asadmin(Path installation, List<String> arguments, Path log) {
        List<String> command = new ArrayList<>(
                List.of("sh", installation.resolve("bin/asadmin").toString(), "--interactive=false"));
        command.addAll(arguments);
        Map<String, String> environment = Map.of("AS_JAVA", System.getProperty("java.home"));
        ServerProcess.run(new ServerProgram("asadmin", command, environment, log, "TERM"), null);
    }
}

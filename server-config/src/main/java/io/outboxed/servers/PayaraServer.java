package io.outboxed.servers;

import io.outboxed.servers.files.ServerDirectory;
import io.outboxed.servers.process.FreePort;
import io.outboxed.servers.process.ServerFailedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Payara Server, the full one, with a domain of its own; the installation is shared and never written to. */
final class PayaraServer extends ApplicationServer {
    private static final String HEAP = "-Xmx768m";

    private final PayaraHome home;
    private int admin;

    PayaraServer(ServerSetup setup) {
        super("Payara Server", setup);
        this.home = PayaraHome.unpackedFrom(setup.distribution());
    }

    /** Everything but the log is created anew: no transaction spans two resources, so none has to be recovered. */
    @Override
    List<String> prepare(boolean replace) throws IOException {
        layOutDomain();
        return command();
    }

    /** As a command of the start, a deployment would block for ever. If it fails, the server's log says why. */
    @Override
    void afterStart() {
        try {
            deploy(setup.application(), setup.war());
        } catch (ServerFailedException refused) {
            System.err.println(refused.getMessage());
        }
    }

    /** The adapter does not start servers: it deploys to one that runs. */
    @Override
    Map<String, String> forAdapter() throws IOException {
        layOutDomain();
        launch(command(), Map.of());
        awaitLogged();
        return Map.of("adminPort", Integer.toString(admin));
    }

    private void layOutDomain() throws IOException {
        ServerDirectory.delete(domain());
        home.copyDomain(domain(), FreePort.any());
        admin = FreePort.any();
        Files.writeString(root("preboot"), PayaraHome.listeningOn(setup.port(), admin));
    }

    private List<String> command() throws IOException {
        List<String> options = new ArrayList<>(List.of("--prebootcommandfile", file("preboot")));
        if (setup.dataSource().isPresent()) {
            define(setup.dataSource().get());
            options.addAll(List.of("--postbootcommandfile", file("data-source")));
        }
        return home.command(
                setup.java(), List.of(HEAP, "-Dosgi.shell.telnet.port=" + FreePort.any()), domain(), options);
    }

    /** Payara already contains H2. */
    private void define(ServerDataSource dataSource) throws IOException {
        Files.writeString(
                root("data-source"),
                new ShippedFile("payara/data-source-" + dataSource.database() + ".asadmin").text());
        if (!dataSource.database().equals("h2")) {
            Files.copy(dataSource.driver(), domain().resolve("lib").resolve(dataSource.driverFile()));
        }
    }

    @Override
    String startedText() {
        return " startup time : ";
    }

    @Override
    public ApplicationServer awaitReplaced() {
        awaitStarted();
        String first = setup.application();
        deploy(SECOND, setup.war());
        undeploy(first);
        deploy(first, setup.war());
        undeploy(SECOND);
        return this;
    }

    @Override
    public void redeploy(Path war, Runnable undeployed) {
        undeploy(setup.application());
        undeployed.run();
        deploy(setup.application(), war);
    }

    private void deploy(String name, Path war) {
        run("deploy", "--name", name, "--contextroot", name, war.toString());
    }

    private void undeploy(String name) {
        run("undeploy", name);
    }

    private void run(String... command) {
        home.run(admin, List.of(command), root("asadmin.log"));
    }

    @Override
    String proof() {
        return domain().toString();
    }

    @Override
    void cleanUp() {
        ServerDirectory.delete(domain());
    }

    private Path domain() {
        return root(PayaraHome.DOMAIN);
    }

    private String file(String name) {
        return root(name).toString();
    }
}

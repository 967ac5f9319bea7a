package io.outboxed.servers;

import io.outboxed.servers.files.ServerDirectory;
import io.outboxed.servers.process.FreePort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Payara Server, the full one, with a domain of its own; the installation is shared and never written to. */
final class PayaraServer extends ApplicationServer {
    private static final String HEAP = "-Xmx768m";

    private final PayaraHome home;
    private int admin;
    private String startedText = " startup time : ";

    PayaraServer(ServerSetup setup) {
        super("Payara Server", setup);
        this.home = PayaraHome.unpackedFrom(setup.distribution());
    }

    /** Everything but the log is created anew: no transaction spans two resources, so none has to be recovered. */
    @Override
    List<String> prepare(boolean replace) throws IOException {
        layOutDomain();
        startedText = "[AutoDeploy] ";
        Files.createDirectories(autodeploy());
        Files.copy(setup.war(), deployment(setup.application()));
        return command();
    }

    /** The adapter does not start servers: it deploys to one that runs. */
    @Override
    Map<String, String> forAdapter() throws IOException {
        layOutDomain();
        launch(command(), Map.of());
        awaitStarted();
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

    /**
     * With an application, the start ends with its deployment, whether that succeeded or failed. As a command of the
     * start it would block for ever.
     */
    @Override
    String startedText() {
        return startedText;
    }

    @Override
    public ApplicationServer awaitReplaced() {
        awaitStarted();
        String first = setup.application();
        await("deploying " + first, () -> Files.exists(marker(first, "deployed")));
        try {
            deploy(SECOND, setup.war());
            undeploy(first);
            deploy(first, setup.war());
            undeploy(SECOND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    @Override
    public void redeploy(Path war) {
        try {
            undeploy(setup.application());
            deploy(setup.application(), war);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void deploy(String name, Path war) throws IOException {
        Files.deleteIfExists(marker(name, "deployed"));
        Path unfinished = Files.copy(war, root(name + ".unfinished"), StandardCopyOption.REPLACE_EXISTING);
        Files.move(unfinished, deployment(name), StandardCopyOption.ATOMIC_MOVE);
        await("deploying " + name, () -> Files.exists(marker(name, "deployed")));
    }

    private void undeploy(String name) throws IOException {
        Files.deleteIfExists(marker(name, "undeployed"));
        Files.delete(deployment(name));
        await("undeploying " + name, () -> Files.exists(marker(name, "undeployed")));
    }

    private Path marker(String name, String state) {
        return autodeploy().resolve(name + setup.extension() + "_" + state);
    }

    private Path deployment(String name) {
        return autodeploy().resolve(name + setup.extension());
    }

    private Path autodeploy() {
        return domain().resolve("autodeploy");
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

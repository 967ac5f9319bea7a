package io.outboxed.servers;

import io.outboxed.servers.files.ServerDirectory;
import io.outboxed.servers.process.FreePort;
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
    private String startedText = " startup time : ";

    PayaraServer(ServerSetup setup) {
        super("Payara Server", setup);
        this.home = PayaraHome.unpackedFrom(setup.distribution());
    }

    /** Everything but the log is created anew: no transaction spans two resources, so none has to be recovered. */
    @Override
    List<String> prepare(boolean replace) throws IOException {
        layOutDomain();
        startedText = " Boot Command deploy ";
        String commands =
                setup.dataSource().isPresent() ? define(setup.dataSource().get()) : "";
        Files.writeString(root("postboot"), commands + String.join(" ", deploying(setup.application(), setup.war())));
        return command("--postbootcommandfile", root("postboot").toString());
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

    private List<String> command(String... options) throws IOException {
        List<String> all =
                new ArrayList<>(List.of("--prebootcommandfile", root("preboot").toString()));
        all.addAll(List.of(options));
        return home.command(setup.java(), List.of(HEAP, "-Dosgi.shell.telnet.port=" + FreePort.any()), domain(), all);
    }

    /** Payara already contains H2. */
    private String define(ServerDataSource dataSource) throws IOException {
        if (!dataSource.database().equals("h2")) {
            Files.copy(dataSource.driver(), domain().resolve("lib").resolve(dataSource.driverFile()));
        }
        return new ShippedFile("payara/data-source-" + dataSource.database() + ".asadmin").text() + "\n";
    }

    /** The start ends with the deployment, whether that succeeded or failed. */
    @Override
    String startedText() {
        return startedText;
    }

    @Override
    public ApplicationServer awaitReplaced() {
        awaitStarted();
        String first = setup.application();
        run(deploying(SECOND, setup.war()));
        run(undeploying(first));
        run(deploying(first, setup.war()));
        run(undeploying(SECOND));
        return this;
    }

    @Override
    public void redeploy(Path war) {
        run(undeploying(setup.application()));
        run(deploying(setup.application(), war));
    }

    private static List<String> deploying(String name, Path war) {
        return List.of("deploy", "--contextroot", name, "--name", name, war.toString());
    }

    private static List<String> undeploying(String name) {
        return List.of("undeploy", name);
    }

    private void run(List<String> command) {
        home.run(admin, command, root("asadmin.log"));
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
}

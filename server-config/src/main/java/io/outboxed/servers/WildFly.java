package io.outboxed.servers;

import io.outboxed.servers.files.ServerDirectory;
import io.outboxed.servers.process.FreePort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** WildFly with its own base directory; the installation is shared and never written to. */
final class WildFly extends ApplicationServer {

    /**
     * The JVM options of {@code bin/common.sh}. The script is not used, because it would be a second process to end.
     */
    private static final List<String> MODULE_OPTIONS = List.of(
            "--add-exports=java.desktop/sun.awt=ALL-UNNAMED",
            "--add-exports=java.naming/com.sun.jndi.ldap=ALL-UNNAMED",
            "--add-exports=java.naming/com.sun.jndi.url.ldap=ALL-UNNAMED",
            "--add-exports=java.naming/com.sun.jndi.url.ldaps=ALL-UNNAMED",
            "--add-exports=jdk.naming.dns/com.sun.jndi.dns=ALL-UNNAMED",
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "--add-opens=java.base/java.lang.invoke=ALL-UNNAMED",
            "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED",
            "--add-opens=java.base/java.io=ALL-UNNAMED",
            "--add-opens=java.base/java.net=ALL-UNNAMED",
            "--add-opens=java.base/java.security=ALL-UNNAMED",
            "--add-opens=java.base/java.util=ALL-UNNAMED",
            "--add-opens=java.base/java.util.concurrent=ALL-UNNAMED",
            "--add-opens=java.management/javax.management=ALL-UNNAMED",
            "--add-opens=java.naming/javax.naming=ALL-UNNAMED");

    private static final String HEAP = "-Xmx768m";

    private final Path home;
    private int management;

    WildFly(ServerSetup setup) {
        super("WildFly", setup);
        this.home = WildFlyHome.preparedFrom(setup.distribution());
    }

    /** Everything but the log is created anew: no transaction spans two resources, so none has to be recovered. */
    @Override
    List<String> prepare(boolean replace) throws IOException {
        layOutBase();
        scanOften();
        Files.copy(setup.war(), deployment(setup.application()));
        return command();
    }

    @Override
    Map<String, String> forAdapter() {
        layOutBase();
        List<String> options = new ArrayList<>(List.of(HEAP));
        options.addAll(setup.jvmOptions());
        management = FreePort.any();
        return Map.of(
                "home", home.toString(),
                "jvmOptions", String.join(" ", options),
                "arguments", String.join(" ", arguments(management)),
                "managementPort", Integer.toString(management));
    }

    @Override
    public URI metricsAddress() {
        return URI.create("http://127.0.0.1:" + management + "/prometheus");
    }

    /** The port of the management interface. */
    @Override
    public int healthPort() {
        return management;
    }

    private void layOutBase() {
        ServerDirectory.delete(base());
        WildFlyHome.copyConfiguration(home, base());
        setup.dataSource().ifPresent(defined -> WildFlyHome.define(defined, home, base()));
        setup.queue().ifPresent(defined -> WildFlyHome.define(defined, home, base()));
    }

    /** WildFly looks for new markers every five seconds: too slow for tests that replace the application. */
    private void scanOften() throws IOException {
        Path configuration = base().resolve("configuration").resolve(configuration());
        String text = Files.readString(configuration);
        Files.writeString(configuration, text.replace("scan-interval=\"5000\"", "scan-interval=\"250\""));
    }

    private String configuration() {
        if (setup.reactiveMessaging()) {
            return WildFlyHome.REACTIVE_MESSAGING;
        }
        return setup.queue().isPresent() ? WildFlyHome.FULL : WildFlyHome.STANDALONE;
    }

    /** Is part of both "started in ..." and "started (with errors) in ...". */
    @Override
    String startedText() {
        return " services are lazy, passive or on-demand";
    }

    /** Works with the markers of the deployment scanner. */
    @Override
    public ApplicationServer awaitReplaced() {
        awaitStarted();
        try {
            String first = setup.application();
            deploy(SECOND);
            undeploy(first);
            deploy(first);
            undeploy(SECOND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    @Override
    public void redeploy(Path war, Runnable undeployed) {
        try {
            undeploy(setup.application());
            undeployed.run();
            deploy(setup.application(), war);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    String proof() {
        return "-Djboss.server.base.dir=" + base();
    }

    @Override
    void cleanUp() {
        ServerDirectory.delete(base());
    }

    private List<String> command() {
        List<String> command = new ArrayList<>();
        command.add(setup.java());
        command.add(HEAP);
        command.addAll(MODULE_OPTIONS);
        command.addAll(List.of(
                "-Djava.awt.headless=true",
                "-Dorg.jboss.logmanager.nocolor=true",
                "-Dorg.jboss.boot.log.file=" + base().resolve("log/boot.log"),
                "-Dlogging.configuration=file:" + base().resolve("configuration/logging.properties"),
                "-jar",
                home.resolve("jboss-modules.jar").toString(),
                "-mp",
                home.resolve("modules").toString(),
                "org.jboss.as.standalone",
                "-Djboss.home.dir=" + home));
        management = FreePort.any();
        command.addAll(arguments(management));
        return command;
    }

    /** @param management the port of the management interface, 0 for any */
    private List<String> arguments(int management) {
        return List.of(
                proof(),
                "--server-config=" + configuration(),
                "-Djboss.tx.node.id=outbox-" + setup.port(),
                "-Djboss.http.port=" + setup.port(),
                "-Djboss.https.port=0",
                "-Djboss.management.http.port=" + management,
                "-Djboss.bind.address=127.0.0.1",
                "-Djboss.bind.address.management=127.0.0.1");
    }

    private void deploy(String name) throws IOException {
        deploy(name, setup.war());
    }

    private void deploy(String name, Path war) throws IOException {
        Files.deleteIfExists(marker(name, "undeployed"));
        Path unfinished = base().resolve(name + ".unfinished");
        Files.copy(war, unfinished, StandardCopyOption.REPLACE_EXISTING);
        Files.move(unfinished, deployment(name), StandardCopyOption.REPLACE_EXISTING);
        Files.createFile(marker(name, "dodeploy"));
        await("deploying " + name, () -> Files.exists(marker(name, "deployed")));
    }

    private void undeploy(String name) throws IOException {
        Files.delete(marker(name, "deployed"));
        await("undeploying " + name, () -> Files.exists(marker(name, "undeployed")));
    }

    private Path marker(String name, String state) {
        return base().resolve("deployments").resolve(name + setup.extension() + "." + state);
    }

    private Path deployment(String name) {
        return base().resolve("deployments").resolve(name + setup.extension());
    }

    private Path base() {
        return root("base");
    }
}

package io.outboxed.servers;

import io.outboxed.servers.files.ServerDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Payara Micro. It accepts commands only at its start, from files. */
final class PayaraMicro extends ApplicationServer {
    private static final String LOOPBACK_ONLY = "set configs.config.server-config.network-config.network-listeners"
            + ".network-listener.http-listener.address=127.0.0.1\n";
    private static final String HEAP = "-Xmx768m";
    private static final String AFTER_UNDEPLOYING = "Boot Command undeploy returned";

    PayaraMicro(ServerSetup setup) {
        super("Payara Micro", setup);
    }

    @Override
    List<String> prepare(boolean replace) throws IOException {
        layOutFiles();
        List<String> command = command();
        if (replace) {
            Files.write(root("postdeploy"), replacing());
            command.addAll(List.of("--postdeploycommandfile", root("postdeploy").toString()));
        }
        if (setup.dataSource().isPresent()) {
            command.addAll(define(setup.dataSource().get()));
        }
        return command;
    }

    @Override
    Map<String, String> forAdapter() throws IOException {
        layOutFiles();
        List<String> options = new ArrayList<>(List.of(HEAP, proof()));
        options.addAll(setup.jvmOptions());
        return Map.of(
                "distribution", setup.distribution().toString(),
                "prebootFile", root("preboot").toString(),
                "jvmOptions", String.join(" ", options));
    }

    private void layOutFiles() throws IOException {
        ServerDirectory.delete(root("tmp"));
        Files.createDirectories(root("tmp"));
        Files.writeString(root("preboot"), LOOPBACK_ONLY);
    }

    /** Payara already contains H2. */
    private List<String> define(ServerDataSource dataSource) throws IOException {
        Files.writeString(
                root("data-source"),
                new ShippedFile("payara/data-source-" + dataSource.database() + ".asadmin").text());
        List<String> options = new ArrayList<>(
                List.of("--postbootcommandfile", root("data-source").toString()));
        if (!dataSource.database().equals("h2")) {
            options.addAll(List.of("--addjars", dataSource.driver().toString()));
        }
        return options;
    }

    /** Payara Micro reports itself as ready even if the application could not be deployed. */
    @Override
    String startedText() {
        return " ready in ";
    }

    @Override
    public ApplicationServer awaitReplaced() {
        await("replacing the application", () -> logged().split(AFTER_UNDEPLOYING, -1).length > 2);
        return this;
    }

    /** Also distinguishes this server from every other: only this one has these files. */
    @Override
    String proof() {
        return "-Djava.io.tmpdir=" + root("tmp");
    }

    @Override
    void cleanUp() {
        ServerDirectory.delete(root("tmp"));
    }

    private List<String> command() {
        return new ArrayList<>(List.of(
                setup.java(),
                HEAP,
                proof(),
                "-jar",
                setup.distribution().toString(),
                "--nocluster",
                "--nohazelcast",
                "--disablephonehome",
                "--prebootcommandfile",
                root("preboot").toString(),
                "--port",
                Integer.toString(setup.port()),
                "--deploy",
                setup.war().toString(),
                "--contextroot",
                setup.application()));
    }

    private List<String> replacing() {
        String first = setup.application();
        Path war = setup.war();
        return List.of(
                "deploy --contextroot " + SECOND + " --name " + SECOND + " " + war,
                "undeploy " + first,
                "deploy --contextroot " + first + " --name " + first + " " + war,
                "undeploy " + SECOND);
    }
}

package io.outboxed.shop;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A Payara Micro with the packaged WAR in a process of its own, for tests that end it in some way. */
final class ShopServer implements AutoCloseable {

    private final Process process;
    private final Shop shop;
    private final Path log;

    private ShopServer(Process process, Shop shop, Path log) {
        this.process = process;
        this.shop = shop;
        this.log = log;
    }

    /** @param name of the log file under {@code target/it} */
    static ShopServer start(String name, TestDatabase database, String... moreJvmOptions) {
        return start(name, database, List.of(moreJvmOptions), List.of());
    }

    /** @param commands asadmin commands that the server carries out once it has deployed the WAR */
    static ShopServer start(String name, TestDatabase database, List<String> jvmOptions, List<String> commands) {
        int port = freePort();
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmOptions(database));
        command.addAll(jvmOptions);
        command.addAll(List.of("-jar", System.getProperty("it.server"), "--nocluster", "--port", "" + port));
        command.addAll(List.of("--prebootcommandfile", "target/test-classes/loopback.asadmin"));
        command.addAll(List.of("--deploy", System.getProperty("it.war"), "--contextroot", "outbox"));
        try {
            Path directory = Files.createDirectories(Path.of(System.getProperty("it.directory")));
            Path log = directory.resolve(name + ".log");
            if (!commands.isEmpty()) {
                Path file = Files.write(directory.resolve(name + ".asadmin"), commands);
                command.addAll(List.of("--postdeploycommandfile", file.toString()));
            }
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
            return new ShopServer(process, Shop.at(port), log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The WAR is deployed and answers, whatever it answers. */
    ShopServer ready() {
        Await.until("the server is up", 300, () -> {
            if (!process.isAlive()) {
                throw new IllegalStateException("the server ended with exit code " + process.exitValue());
            }
            return shop.deployed();
        });
        return this;
    }

    Shop shop() {
        return shop;
    }

    /** What the server has logged so far. */
    String log() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** SIGKILL. */
    void kill() {
        process.destroyForcibly();
        process.onExit().join();
    }

    /** SIGTERM: the application is undeployed. */
    void stop() {
        process.destroy();
        try {
            if (!process.waitFor(60, TimeUnit.SECONDS)) {
                throw new IllegalStateException("the server did not end within 60 s of SIGTERM");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        kill();
    }

    static List<String> jvmOptions(TestDatabase database) {
        return List.of(
                "-Xmx768m",
                "-Doutbox.datasource.url=" + database.url(),
                "-Doutbox.datasource.user=" + database.user(),
                "-Doutbox.datasource.password=" + database.password());
    }

    static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

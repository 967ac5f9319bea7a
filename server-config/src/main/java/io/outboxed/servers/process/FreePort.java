package io.outboxed.servers.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;

/** Finds unused TCP ports of the loopback interface. */
public final class FreePort {
    private static final int FIRST = 10_000;
    private static final int FEWEST = 1_000;
    private static final int ATTEMPTS = 100;
    /** The ports that Linux gives to outgoing connections: the first and the last one. */
    private static final Path EPHEMERAL = Path.of("/proc/sys/net/ipv4/ip_local_port_range");

    private FreePort() {}

    /** Below the ports of outgoing connections: one of these could take the port before a server has bound it. */
    public static int any() {
        return anyBelow(firstEphemeral());
    }

    static int anyBelow(int ephemeral) {
        for (int attempt = 0; attempt < ATTEMPTS && ephemeral >= FIRST + FEWEST; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, ephemeral);
            if (isFree(port)) {
                return port;
            }
        }
        return assigned();
    }

    public static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** @return 0 if it is unknown */
    static int firstEphemeral() {
        try {
            return Integer.parseInt(Files.readString(EPHEMERAL).strip().split("\\s+")[0]);
        } catch (IOException | NumberFormatException e) {
            return 0;
        }
    }

    private static int assigned() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

package io.outboxed.internal.capture;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Stands between a client and its database, and counts the answers for which the client has waited. A driver may send
 * several commands before the first answer, so answers take some time on their way back.
 */
final class RoundTrips implements AutoCloseable {
    private static final long WAY_BACK = Duration.ofMillis(100).toNanos();
    private static final Pattern ADDRESS = Pattern.compile("//([^:/]+):(\\d+)");

    private final String serverUrl;
    private final String host;
    private final int port;
    private final ServerSocket door = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicInteger count = new AtomicInteger();

    RoundTrips(String serverUrl) throws IOException {
        Matcher address = ADDRESS.matcher(serverUrl);
        if (!address.find()) {
            throw new IllegalArgumentException(serverUrl);
        }
        this.serverUrl = serverUrl;
        this.host = address.group(1);
        this.port = Integer.parseInt(address.group(2));
        threads.execute(this::accept);
    }

    /** To be used in place of the server's. */
    String url() {
        return ADDRESS.matcher(serverUrl).replaceFirst("//127.0.0.1:" + door.getLocalPort());
    }

    int count() {
        return count.get();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = door.accept();
                Socket server = new Socket(host, port);
                client.setTcpNoDelay(true);
                server.setTcpNoDelay(true);
                AtomicBoolean asked = new AtomicBoolean();
                threads.execute(() -> pass(client, server, () -> asked.set(true)));
                threads.execute(() -> pass(server, client, () -> {
                    LockSupport.parkNanos(WAY_BACK);
                    if (asked.getAndSet(false)) {
                        count.incrementAndGet();
                    }
                }));
            }
        } catch (IOException closed) {
            // the test is over
        }
    }

    private static void pass(Socket from, Socket to, Runnable seen) {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] bytes = new byte[65_536];
            for (int length = in.read(bytes); length > 0; length = in.read(bytes)) {
                seen.run();
                out.write(bytes, 0, length);
            }
        } catch (IOException closed) {
            // by either side
        }
    }

    @Override
    public void close() throws IOException {
        door.close();
        threads.shutdownNow();
    }
}

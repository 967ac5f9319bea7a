package io.outboxed.internal.database;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.IntConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Stands between a client and its database. It may fall silent, and tell what passes. */
public final class NetworkPath implements AutoCloseable {
    private static final Pattern ADDRESS = Pattern.compile("//([^:/]+):(\\d+)");

    private final String serverUrl;
    private final String host;
    private final int port;
    private final IntConsumer asked;
    private final IntConsumer answered;
    private final ServerSocket door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Queue<Socket> open = new ConcurrentLinkedQueue<>();
    private final CountDownLatch swallowed = new CountDownLatch(1);
    private volatile boolean silent;
    private volatile boolean swallows;

    public NetworkPath(String serverUrl) throws IOException {
        this(serverUrl, number -> {}, number -> {});
    }

    /**
     * @param asked gets the number of the connection before what its client has sent is passed on, in its order
     * @param answered gets it before what the server has sent is passed on, in its order
     */
    public NetworkPath(String serverUrl, IntConsumer asked, IntConsumer answered) throws IOException {
        Matcher address = ADDRESS.matcher(serverUrl);
        if (!address.find()) {
            throw new IllegalArgumentException(serverUrl);
        }
        this.serverUrl = serverUrl;
        this.host = address.group(1);
        this.asked = asked;
        this.answered = answered;
        this.port = Integer.parseInt(address.group(2));
        threads.execute(this::accept);
    }

    /** To be used in place of the server's. */
    public String url() {
        return ADDRESS.matcher(serverUrl).replaceFirst("//127.0.0.1:" + door.getLocalPort());
    }

    /** Ends all connections. The next one is accepted and gets no answer; those after it work. */
    public void breakAndBeSilentOnce() throws IOException {
        silent = true;
        closeAll();
    }

    /** From now on, nothing gets through in either direction. */
    public void swallow() {
        swallows = true;
    }

    public void awaitSwallowed() throws InterruptedException {
        swallowed.await();
    }

    private void accept() {
        try {
            for (int number = 1; ; number++) {
                int connection = number;
                Socket client = door.accept();
                open.add(client);
                if (silent) {
                    silent = false;
                    continue;
                }
                Socket server = new Socket(host, port);
                open.add(server);
                client.setTcpNoDelay(true);
                server.setTcpNoDelay(true);
                threads.execute(() -> pass(client, server, () -> asked.accept(connection)));
                threads.execute(() -> pass(server, client, () -> answered.accept(connection)));
            }
        } catch (IOException closed) {
            // the test is over
        }
    }

    private void pass(Socket from, Socket to, Runnable seen) {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            byte[] bytes = new byte[65_536];
            for (int length = in.read(bytes); length > 0; length = in.read(bytes)) {
                if (swallows) {
                    swallowed.countDown();
                } else {
                    seen.run();
                    to.getOutputStream().write(bytes, 0, length);
                }
            }
        } catch (IOException closed) {
            // by either side
        }
    }

    private void closeAll() throws IOException {
        for (Socket next = open.poll(); next != null; next = open.poll()) {
            next.close();
        }
    }

    @Override
    public void close() throws IOException {
        door.close();
        closeAll();
        threads.shutdownNow();
    }
}

package io.outboxed.faults;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The network between one node and the database: a TCP proxy that can cut connections, stop forwarding, and add
 * latency.
 */
final class Wire implements AutoCloseable {
    private static final int CHUNK = 16 * 1024;
    private static final long LOOK_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final ServerSocket server;
    private final int target;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile boolean silent;
    private volatile long delayNanos;

    Wire(int target) {
        this.target = target;
        try {
            server = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        run("wire " + server.getLocalPort(), this::accept);
    }

    int port() {
        return server.getLocalPort();
    }

    /** Resets every connection; new ones are possible immediately. */
    void cut() {
        open.forEach(Wire::reset);
    }

    /**
     * Half-open: existing and new connections stay open, but nothing is forwarded in either direction until this is
     * over.
     */
    void silent(boolean now) {
        silent = now;
    }

    /** Adds this latency in each direction. */
    void delay(long millis) {
        delayNanos = TimeUnit.MILLISECONDS.toNanos(millis);
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        cut();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket client = server.accept();
                run("wire " + client.getPort(), () -> join(client));
            } catch (IOException e) {
                // closed: the run is over
            }
        }
    }

    private void join(Socket client) {
        open.add(client);
        awaitSound();
        try {
            Socket database = new Socket(InetAddress.getLoopbackAddress(), target);
            open.add(database);
            database.setTcpNoDelay(true);
            client.setTcpNoDelay(true);
            run("wire back " + client.getPort(), () -> pump(database, client));
            pump(client, database);
        } catch (IOException databaseDown) {
            reset(client);
        } finally {
            open.remove(client);
        }
    }

    private void pump(Socket from, Socket to) {
        byte[] chunk = new byte[CHUNK];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int length = in.read(chunk); length >= 0; length = in.read(chunk)) {
                if (delayNanos > 0) {
                    LockSupport.parkNanos(delayNanos);
                }
                awaitSound();
                out.write(chunk, 0, length);
            }
        } catch (IOException ended) {
            // the other direction ends too
        } finally {
            reset(from);
            reset(to);
            open.remove(from);
            open.remove(to);
        }
    }

    private void awaitSound() {
        while (silent) {
            LockSupport.parkNanos(LOOK_AGAIN_NANOS);
        }
    }

    private static void reset(Socket socket) {
        try {
            socket.setSoLinger(true, 0);
            socket.close();
        } catch (IOException closed) {
            // expected
        }
    }

    private static void run(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }
}

package io.outboxed.faults.wire;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * The network between one node and the database: a TCP proxy that can cut connections, stop forwarding in one direction
 * or both, lose packets, add latency, and stop a connection at a chosen statement.
 */
public final class Wire implements AutoCloseable {
    /** After which TCP sends a packet again that has not been confirmed. */
    private static final long SENT_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private static final long LOOK_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final ServerSocket server;
    private final int target;
    private final Supplier<Conversation> conversations;
    private final Set<Line> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger requestsLost = new AtomicInteger();
    private final AtomicInteger answersLost = new AtomicInteger();
    private volatile double loss;
    private volatile long delayNanos;
    private volatile Trap trap;

    public Wire(int target, Supplier<Conversation> conversations) {
        this.target = target;
        this.conversations = conversations;
        try {
            server = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        run("wire " + server.getLocalPort(), this::accept);
    }

    public int port() {
        return server.getLocalPort();
    }

    /** Resets every connection; new ones are possible immediately. */
    public void cut() {
        open.forEach(Line::reset);
    }

    /**
     * Half-open: existing and new connections stay open, but nothing is forwarded in either direction until this is
     * over as often as it was begun.
     */
    public void silent(boolean now) {
        requestsLost.addAndGet(now ? 1 : -1);
        loseAnswers(now);
    }

    /** The database gets and executes everything, but the node learns nothing of it. */
    public void loseAnswers(boolean now) {
        answersLost.addAndGet(now ? 1 : -1);
    }

    /** @param rate of packets that are lost; TCP sends each again, after twice the time if it is lost again */
    public void losePackets(double rate) {
        loss = rate;
    }

    /** Adds this latency in each direction. */
    public void delay(long millis) {
        delayNanos = TimeUnit.MILLISECONDS.toNanos(millis);
    }

    /** @param next null for none */
    public void set(Trap next) {
        trap = next;
    }

    Trap trap() {
        return trap;
    }

    boolean isSilent(boolean requests) {
        return (requests ? requestsLost : answersLost).get() > 0;
    }

    /** How long the next packet takes. */
    void delay() {
        if (delayNanos > 0) {
            LockSupport.parkNanos(delayNanos);
        }
        for (long again = SENT_AGAIN_NANOS;
                loss > 0 && ThreadLocalRandom.current().nextDouble() < loss;
                again *= 2) {
            LockSupport.parkNanos(again);
        }
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
        Line line = new Line(this, client, conversations.get());
        open.add(line);
        while (isSilent(true)) {
            LockSupport.parkNanos(LOOK_AGAIN_NANOS);
        }
        try (Socket database = new Socket(InetAddress.getLoopbackAddress(), target)) {
            line.join(database);
        } catch (IOException databaseDown) {
            // the client sees a reset
        } finally {
            line.reset();
            open.remove(line);
        }
    }

    static void run(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }
}

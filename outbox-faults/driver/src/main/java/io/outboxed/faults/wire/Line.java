package io.outboxed.faults.wire;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** One connection through a {@link Wire}: two threads, one for each direction, forward what the wire lets pass. */
final class Line {
    private static final int CHUNK = 16 * 1024;
    private static final long LOOK_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final Wire wire;
    private final Socket client;
    private final Conversation conversation;
    private volatile Socket database;
    private volatile Trap caughtIn;
    /** In the open transaction; of statements without one, all since the last. */
    private final Set<StatementKind> said = EnumSet.noneOf(StatementKind.class);

    Line(Wire wire, Socket client, Conversation conversation) {
        this.wire = wire;
        this.client = client;
        this.conversation = conversation;
    }

    /** Returns at the end of the connection. */
    void join(Socket toDatabase) throws IOException {
        database = toDatabase;
        database.setTcpNoDelay(true);
        client.setTcpNoDelay(true);
        Wire.run("wire back " + client.getPort(), () -> pump(database, client));
        pump(client, database);
    }

    void reset() {
        reset(client);
        if (database != null) {
            reset(database);
        }
    }

    private void pump(Socket from, Socket to) {
        byte[] chunk = new byte[CHUNK];
        boolean requests = from == client;
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int length = in.read(chunk); length >= 0; length = in.read(chunk)) {
                if (requests) {
                    listen(chunk, length);
                } else if (caughtIn != null) {
                    hold(caughtIn);
                }
                wire.delay();
                while (wire.isSilent(requests) && !client.isClosed()) {
                    LockSupport.parkNanos(LOOK_AGAIN_NANOS);
                }
                out.write(chunk, 0, length);
            }
        } catch (IOException ended) {
            // the other direction ends too
        } finally {
            reset();
        }
    }

    private void listen(byte[] chunk, int length) {
        Trap trap = wire.trap();
        boolean caught = false;
        for (String sql : conversation.said(chunk, length)) {
            StatementKind statement = StatementKind.of(sql);
            caught |= trap != null && trap.isFor(statement, said);
            switch (statement) {
                case BEGIN, COMMIT, ROLLBACK -> said.clear();
                default -> said.add(statement);
            }
        }
        if (caught && trap.holdsStatement()) {
            hold(trap);
        } else if (caught) {
            caughtIn = trap;
        }
    }

    /** Until the node is dead, or the trap is taken away. */
    private void hold(Trap trap) {
        trap.spring();
        while (!client.isClosed() && wire.trap() == trap) {
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
}

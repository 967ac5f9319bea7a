package io.outboxed.internal.relay;

import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.store.MemoryLockSession;
import io.outboxed.internal.store.RelayStore;
import java.util.Set;

/** A simulated node's way to its database, which can be down, end the node's session, or outlive the node. */
final class SimulatedConnection implements ObservedStore.Observer {
    private static final Set<String> IN_SESSION = Set.of(
            "open", "isOpen", "tryLock", "unlock", "peers", "present", "leads", "write", "refresh", "wake", "start");

    /** The process is gone: unwinds what it was doing. */
    static final class Gone extends Error {
        private static final long serialVersionUID = 1L;

        private Gone() {
            super("the node's process is gone", null, false, false);
        }
    }

    private final SimulatedEnvironment world;
    private final SimulatedNode node;
    /** Null if the node claims lanes without one. */
    private final MemoryLockSession session;

    SimulatedConnection(SimulatedEnvironment world, SimulatedNode node) {
        this.world = world;
        this.node = node;
        this.session = world.lockSession().orElse(null);
    }

    RelayStore store() {
        return ObservedStore.of(ports(), this);
    }

    private RelayStore ports() {
        if (session != null) {
            return world.store().ports(session);
        }
        return world.hasClaimRows()
                ? world.store().portsWithClaimRows()
                : world.store().ports();
    }

    /** Whether the server has ended the session with its locks, also for having been idle: they are free then. */
    boolean hasLostSession() {
        return session != null && session.owner() == null;
    }

    /** The server ends it, while the node goes on. */
    void loseSession() {
        if (session != null) {
            session.end();
        }
    }

    @Override
    public void before(String call) {
        requireAlive();
        inSession(call, () -> {
            world.before(node, call);
            requireAlive();
            if (world.databaseIsDown()) {
                throw new StoreException("the database is down: " + call, true, null);
            }
        });
    }

    @Override
    public void after(String call, Object[] arguments, Object result) {
        inSession(call, () -> world.after(node, call, arguments, result));
        requireAlive();
    }

    /** A session is not used again after a call in it has failed. */
    private void inSession(String call, Runnable happens) {
        try {
            happens.run();
        } catch (StoreException e) {
            if (IN_SESSION.contains(call)) {
                loseSession();
            }
            throw e;
        }
    }

    private void requireAlive() {
        if (node.isGone()) {
            throw new Gone();
        }
    }
}

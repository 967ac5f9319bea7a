package io.outboxed.internal.store.jdbc.locks;

import io.outboxed.internal.database.Dialect;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * What the database calls the locks of some tables. PostgreSQL counts them, within the database; MySQL and MariaDB name
 * them, within the server, in up to 64 characters without regard to case.
 */
final class LockNames {
    private final Dialect dialect;
    private final String namespace;

    /**
     * @param tables what tells these tables from others
     * @param prefix without a schema, which not all nodes may name
     */
    LockNames(Dialect dialect, String tables, String prefix) {
        this.dialect = dialect;
        this.namespace = "outboxed " + tables + " " + prefix + " ";
    }

    Object ofLane(long lane) {
        return name("lane " + lane, hex(lane));
    }

    /** @param owner up to 42 characters */
    Object ofNode(String owner) {
        return name("node " + owner, owner);
    }

    /** Of the one node that does what is done once for all nodes. */
    Object ofLeader() {
        return name("leader", "leader");
    }

    private Object name(String text, String shortText) {
        return dialect == Dialect.POSTGRESQL ? (Object) hash(namespace + text) : hex(hash(namespace)) + "-" + shortText;
    }

    private static String hex(long number) {
        return String.format("%016x", number);
    }

    private static long hash(String text) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return ByteBuffer.wrap(hash).getLong();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}

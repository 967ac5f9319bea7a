package io.outboxed.faults.wire;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Finds the statements in the bytes that a client sends to a database, as far as they are sent as text. */
public abstract class Conversation {
    private byte[] rest = new byte[0];

    public static Conversation with(String product) {
        return product.equals("postgresql") ? new PostgresConversation() : new MySqlConversation();
    }

    /** @return the statements that are complete with these bytes, in their order */
    final List<String> said(byte[] chunk, int length) {
        byte[] all = Arrays.copyOf(rest, rest.length + length);
        System.arraycopy(chunk, 0, all, rest.length, length);
        List<String> statements = new ArrayList<>();
        int from = 0;
        for (int next = end(all, from); next > from && next <= all.length; next = end(all, from)) {
            read(all, from, next, statements);
            from = next;
        }
        rest = Arrays.copyOfRange(all, from, all.length);
        return statements;
    }

    /** Where the message that begins there ends, possibly behind these bytes; 0 if too few of it are known. */
    abstract int end(byte[] all, int from);

    /** Reads one complete message. */
    abstract void read(byte[] all, int from, int to, List<String> statements);
}

package io.outboxed.faults.wire;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** Packets have a length of three bytes, a number, and, if they begin a command, its code. */
final class MySqlConversation extends Conversation {
    private static final int HEADER = 4;
    private static final int QUERY = 3;

    @Override
    int end(byte[] all, int from) {
        if (all.length - from < HEADER) {
            return 0;
        }
        return from + HEADER + (all[from] & 0xff) + ((all[from + 1] & 0xff) << 8) + ((all[from + 2] & 0xff) << 16);
    }

    @Override
    void read(byte[] all, int from, int to, List<String> statements) {
        boolean first = all[from + 3] == 0;
        if (first && to > from + HEADER && all[from + HEADER] == QUERY) {
            statements.add(new String(all, from + HEADER + 1, to - from - HEADER - 1, StandardCharsets.UTF_8));
        }
    }
}

package io.outboxed.faults.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Messages have a type and a length, except for those before the session begins. Drivers parse a statement once, and
 * bind it by its name from then on.
 */
final class PostgresConversation extends Conversation {
    private static final int SESSION = 3;

    private final Map<String, String> prepared = new HashMap<>();
    private boolean session;

    @Override
    int end(byte[] all, int from) {
        int type = session ? 1 : 0;
        return all.length - from < type + 4
                ? 0
                : from + type + ByteBuffer.wrap(all).getInt(from + type);
    }

    @Override
    void read(byte[] all, int from, int to, List<String> statements) {
        if (!session) {
            session = to - from >= 8 && ByteBuffer.wrap(all).getInt(from + 4) >> 16 == SESSION;
            return;
        }
        int begin = from + 5;
        switch (all[from]) {
            case 'Q' -> statements.add(text(all, begin));
            case 'P' -> prepared.put(text(all, begin), text(all, after(all, begin)));
            case 'B' -> statements.add(prepared.getOrDefault(text(all, after(all, begin)), ""));
            default -> {}
        }
    }

    private static int after(byte[] all, int text) {
        int end = text;
        while (all[end] != 0) {
            end++;
        }
        return end + 1;
    }

    private static String text(byte[] all, int from) {
        return new String(all, from, after(all, from) - 1 - from, StandardCharsets.UTF_8);
    }
}

package io.outboxed.internal.store;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.UUID;

/**
 * The lane and the shard of an aggregate. Frozen: the numbers are stored in every installation, so a change here would
 * split one aggregate into two lanes.
 *
 * <p>A lane is the first 8 bytes, big endian, of the SHA-256 of: the number of UTF-8 bytes of the aggregate type as 4
 * bytes big endian, these bytes, and the UTF-8 bytes of the aggregate id. The length distinguishes {@code ("a", "bc")}
 * from {@code ("ab", "c")}. A message without an aggregate has its own lane: the length is -1, followed by the 16 bytes
 * of its id. A shard is the lowest 6 bits of the lane.
 */
public final class LaneHash {

    /** The number of shards; a constant, also stored in the database. */
    public static final int SHARDS = 64;

    private static final int NO_AGGREGATE = -1;

    private LaneHash() {}

    /** The lane that all messages of one aggregate share. */
    public static long lane(String aggregateType, String aggregateId) {
        byte[] type = aggregateType.getBytes(StandardCharsets.UTF_8);
        byte[] id = aggregateId.getBytes(StandardCharsets.UTF_8);
        return first8(ByteBuffer.allocate(Integer.BYTES + type.length + id.length)
                .putInt(type.length)
                .put(type)
                .put(id));
    }

    /** The lane of a message without an aggregate or with a delay. */
    public static long lane(UUID message) {
        return first8(ByteBuffer.allocate(Integer.BYTES + 2 * Long.BYTES)
                .putInt(NO_AGGREGATE)
                .putLong(message.getMostSignificantBits())
                .putLong(message.getLeastSignificantBits()));
    }

    /** 0 to {@link #SHARDS} - 1. */
    public static int shard(long lane) {
        return (int) (lane & (SHARDS - 1));
    }

    private static long first8(ByteBuffer input) {
        try {
            return ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(input.array()))
                    .getLong();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}

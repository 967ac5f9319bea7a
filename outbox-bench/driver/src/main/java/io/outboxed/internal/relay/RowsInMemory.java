package io.outboxed.internal.relay;

import io.outboxed.admin.StoredEvent.MessageState;
import io.outboxed.internal.store.Acks;
import io.outboxed.internal.store.FencedWriter;
import io.outboxed.internal.store.LaneHash;
import io.outboxed.internal.store.MessageBody;
import io.outboxed.internal.store.MessageHead;
import io.outboxed.internal.store.MessageReads;
import io.outboxed.internal.store.ReadWindow;
import io.outboxed.internal.store.RelayStore;
import io.outboxed.internal.store.Statistics;
import io.outboxed.internal.store.cluster.HandlerRegistrations;
import io.outboxed.internal.store.cluster.Nodes;
import io.outboxed.internal.store.cluster.RegistrySnapshot;
import io.outboxed.internal.store.cluster.ShardLeases;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.IntStream;

/** A store whose reads cost next to nothing: rows by shard and number. All other reads return nothing. */
final class RowsInMemory {
    static final String TYPE = "bench.order";
    static final String HANDLER = "bench";
    static final List<Integer> ALL_SHARDS =
            IntStream.range(0, LaneHash.SHARDS).boxed().toList();
    private static final int AGGREGATES = 10_000;
    private static final String PAYLOAD = "x".repeat(512);

    private final List<TreeMap<Long, MessageHead>> shards = new ArrayList<>();
    private final Random random = new Random(1);
    private long seq;
    private int left;

    RowsInMemory() {
        ALL_SHARDS.forEach(shard -> shards.add(new TreeMap<>()));
    }

    void fill(int messages) {
        for (int i = 0; i < messages; i++) {
            long lane = random.nextInt(AGGREGATES);
            int shard = LaneHash.shard(lane);
            seq++;
            UUID id = new UUID(1, seq);
            MessageBody body =
                    new MessageBody(seq, id, "bench", "4711", Instant.EPOCH, Duration.ZERO, null, PAYLOAD, null);
            MessageHead head = new MessageHead(
                    seq,
                    id,
                    shard,
                    lane,
                    TYPE,
                    body.aggregateType(),
                    MessageState.READY,
                    0,
                    0,
                    PAYLOAD.length(),
                    0,
                    false,
                    null,
                    body);
            shards.get(shard).put(seq, head);
        }
        left += messages;
    }

    void acknowledge(MessageHead head) {
        shards.get(head.shard()).remove(head.seq());
        left--;
    }

    boolean isEmpty() {
        return left == 0;
    }

    RelayStore store() {
        return new RelayStore(
                port(Nodes.class),
                port(ShardLeases.class),
                port(HandlerRegistrations.class),
                port(MessageReads.class),
                port(Acks.class),
                port(FencedWriter.class),
                port(Statistics.class),
                Optional.empty(),
                () -> 0);
    }

    private <T> T port(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, this::answer));
    }

    @SuppressWarnings("unchecked")
    private Object answer(Object proxy, Method method, Object[] arguments) {
        return switch (method.getName()) {
            case "ready" -> ready((Collection<ReadWindow>) arguments[0]);
            case "snapshot" -> new RegistrySnapshot(0, Map.of(TYPE, new TreeMap<>(Map.of(HANDLER, HANDLER))), Map.of());
            default -> nothing(method.getReturnType());
        };
    }

    private List<MessageHead> ready(Collection<ReadWindow> windows) {
        List<MessageHead> heads = new ArrayList<>();
        for (ReadWindow window : windows) {
            shards.get(window.shard()).tailMap(window.above(), false).values().stream()
                    .limit(window.limit())
                    .forEach(heads::add);
        }
        heads.sort((one, other) -> Long.compare(one.seq(), other.seq()));
        return heads;
    }

    private static Object nothing(Class<?> type) {
        if (type == boolean.class) {
            return false;
        }
        if (type == long.class) {
            return 0L;
        }
        if (type == OptionalLong.class) {
            return OptionalLong.empty();
        }
        if (type == Optional.class) {
            return Optional.empty();
        }
        return type == Map.class ? Map.of() : type == Set.class ? Set.of() : type == List.class ? List.of() : null;
    }
}

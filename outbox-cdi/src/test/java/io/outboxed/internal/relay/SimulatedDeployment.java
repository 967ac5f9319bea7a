package io.outboxed.internal.relay;

import io.outboxed.internal.store.HandlerKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Two versions of an application. A handler's name is {@code group.method}; one without a dot is a group of its own. The type
 * {@code u} has no handler before the newer version comes, which may have a handler of any type.
 */
final class SimulatedDeployment {
    static final String UNKNOWN_TYPE = "u";
    /** Has a single handler, which takes batches. */
    static final String BATCHED_TYPE = "s";

    /** The first handler of its type, in a group that has handlers of others. */
    static final HandlerKey FIRST_OF_A_GROUP = new HandlerKey(UNKNOWN_TYPE, "book.first");

    /** Those that may be forwarders. */
    static final Set<String> OUTSIDE = Set.of("mail", "second", "all.forward");

    private final Map<HandlerKey, HandlerMode> older = handlers();
    private final Map<HandlerKey, HandlerMode> newer = handlers();
    private boolean done;

    SimulatedDeployment(boolean grouped, boolean catchAll, boolean batches, boolean joins) {
        older.put(new HandlerKey("a", "ship"), HandlerMode.TRANSACTIONAL);
        older.put(new HandlerKey("b", "ship"), HandlerMode.TRANSACTIONAL);
        older.put(new HandlerKey("b", "mail"), HandlerMode.OUTSIDE);
        older.put(new HandlerKey("c", "mail"), HandlerMode.OUTSIDE);
        if (grouped) {
            older.put(new HandlerKey("p", "desk.placed"), HandlerMode.OUTSIDE);
            older.put(new HandlerKey("q", "desk.cancelled"), HandlerMode.OUTSIDE);
            older.put(new HandlerKey("p", "book.placed"), HandlerMode.TRANSACTIONAL);
            older.put(new HandlerKey("q", "book.cancelled"), HandlerMode.TRANSACTIONAL);
            older.put(new HandlerKey("r", "book.left"), HandlerMode.TRANSACTIONAL);
            older.put(new HandlerKey("r", "book.right"), HandlerMode.OUTSIDE);
        }
        if (batches) {
            older.put(new HandlerKey(BATCHED_TYPE, "stock.batch"), HandlerMode.BATCHED);
            older.put(new HandlerKey("t", "stock.batch"), HandlerMode.BATCHED);
            older.put(new HandlerKey("t", "mail"), HandlerMode.OUTSIDE);
            older.put(new HandlerKey("v", "stock.single"), HandlerMode.TRANSACTIONAL);
        }
        newer.putAll(older);
        newer.put(new HandlerKey("b", "bill"), HandlerMode.TRANSACTIONAL);
        newer.put(new HandlerKey("d", "bill"), HandlerMode.TRANSACTIONAL);
        newer.put(new HandlerKey(UNKNOWN_TYPE, "first"), HandlerMode.TRANSACTIONAL);
        newer.put(new HandlerKey(UNKNOWN_TYPE, "second"), HandlerMode.OUTSIDE);
        if (joins) {
            newer.put(FIRST_OF_A_GROUP, HandlerMode.TRANSACTIONAL);
            newer.put(new HandlerKey(UNKNOWN_TYPE, "desk.first"), HandlerMode.OUTSIDE);
        }
        if (catchAll) {
            newer.put(new HandlerKey(HandlerKey.ANY_TYPE, "all.book"), HandlerMode.TRANSACTIONAL);
            newer.put(new HandlerKey(HandlerKey.ANY_TYPE, "all.forward"), HandlerMode.OUTSIDE);
        }
    }

    private static Map<HandlerKey, HandlerMode> handlers() {
        return new TreeMap<>(Comparator.comparing(HandlerKey::type).thenComparing(HandlerKey::handler));
    }

    static String group(String handler) {
        int dot = handler.indexOf('.');
        return dot < 0 ? handler : handler.substring(0, dot);
    }

    void begin() {
        done = true;
    }

    boolean hasBegun() {
        return done;
    }

    Map<HandlerKey, HandlerMode> older() {
        return older;
    }

    Map<HandlerKey, HandlerMode> current() {
        return done ? newer : older;
    }

    List<String> types() {
        Set<String> types = new TreeSet<>();
        current().keySet().forEach(key -> types.add(key.type()));
        types.remove(UNKNOWN_TYPE);
        types.remove(HandlerKey.ANY_TYPE);
        return new ArrayList<>(types);
    }

    Set<String> required(String type) {
        Set<String> handlers = new TreeSet<>();
        (type.equals(UNKNOWN_TYPE) ? newer : current()).keySet().forEach(key -> {
            if (key.type().equals(type) || key.isOfAnyType()) {
                handlers.add(key.handler());
            }
        });
        return handlers;
    }
}

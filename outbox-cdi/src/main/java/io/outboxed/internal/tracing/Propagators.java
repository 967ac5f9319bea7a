package io.outboxed.internal.tracing;

import io.outboxed.OutboxException;
import io.outboxed.OutboxMessage;
import io.outboxed.internal.log.OutboxLog;
import io.outboxed.spi.ContextPropagator;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Calls all of the application's propagators. */
@ApplicationScoped
public class Propagators {
    private final Instance<ContextPropagator> beans;
    private volatile List<Named> cached;

    private record Named(String name, ContextPropagator propagator) {}

    @Inject
    Propagators(@Any Instance<ContextPropagator> beans) {
        this.beans = beans;
    }

    /** Needed by the container's proxy. */
    Propagators() {
        this(null);
    }

    /** For applications without propagators. */
    public static Propagators none() {
        Propagators none = new Propagators();
        none.cached = List.of();
        return none;
    }

    /** Cached, because each lookup creates dependent objects. */
    private List<Named> all() {
        List<Named> known = cached;
        return known != null ? known : create();
    }

    /** @return if any can't be created, only those, and the next call tries again */
    private synchronized List<Named> create() {
        List<Instance.Handle<ContextPropagator>> handles = beans.handlesStream().collect(Collectors.toList());
        List<Named> all = handles.stream()
                .map(Propagators::created)
                .sorted(Comparator.comparing(Named::name))
                .toList();
        List<Named> failing = all.stream()
                .filter(each -> each.propagator() instanceof Uncreated)
                .toList();
        if (failing.isEmpty()) {
            cached = all;
            return all;
        }
        handles.stream()
                .filter(handle -> handle.getBean().getScope() == Dependent.class)
                .forEach(Instance.Handle::destroy);
        return failing;
    }

    private static Named created(Instance.Handle<ContextPropagator> handle) {
        String name = handle.getBean().getBeanClass().getName();
        try {
            return new Named(name, handle.get());
        } catch (RuntimeException e) {
            return new Named(name, new Uncreated(e));
        } catch (LinkageError e) {
            // an optional library is missing
            return new Named(name, new Uncreated(new IllegalStateException("can't be created: " + e, e)));
        }
    }

    /** Fails as its constructor did. */
    private record Uncreated(RuntimeException cause) implements ContextPropagator {
        @Override
        public Map<String, String> capture() {
            throw cause;
        }

        @Override
        public AutoCloseable restore(OutboxMessage message) {
            throw cause;
        }
    }

    /**
     * @param check throws an {@link OutboxException} if a header can't be stored
     * @throws OutboxException if one fails or returns such a header, or if two return the same header
     */
    public Map<String, String> capture(String type, Consumer<Map<String, String>> check) {
        Map<String, String> headers = new HashMap<>();
        for (Named each : all()) {
            captured(each, type, check).forEach((name, value) -> {
                if (headers.putIfAbsent(name, value) != null) {
                    throw failed(
                            each,
                            type,
                            "returned the header " + name + ", which another propagator also" + " returned",
                            null);
                }
            });
        }
        return headers;
    }

    private static Map<String, String> captured(Named each, String type, Consumer<Map<String, String>> check) {
        Map<String, String> headers;
        try {
            headers = each.propagator().capture();
        } catch (Exception e) {
            throw failed(each, type, "threw " + e.getClass().getName(), e);
        }
        if (headers == null) {
            throw failed(each, type, "returned null: return an empty map if there are no headers", null);
        }
        headers.forEach((name, value) -> {
            if (name == null || value == null) {
                throw failed(each, type, "returned a header with a null name or value: omit it", null);
            }
        });
        try {
            check.accept(headers);
        } catch (OutboxException e) {
            throw failed(each, type, "returned a header that can't be stored (" + e.getMessage() + ")", e);
        }
        return headers;
    }

    private static OutboxException failed(Named each, String type, String what, Throwable cause) {
        return new OutboxException(
                "OUTBOX-0115",
                "the ContextPropagator " + each.name() + " " + what + "; the event of type " + type
                        + " was not stored, because its context would be missing",
                cause);
    }

    /** @return restores the previous state of all, in reverse order, and never throws */
    public Runnable restore(OutboxMessage message) {
        Deque<Restored> restored = new ArrayDeque<>();
        Runnable undo = () -> undo(restored, message);
        for (Named each : all()) {
            try {
                AutoCloseable open = each.propagator().restore(message);
                restored.push(new Restored(each.name(), Objects.requireNonNullElse(open, () -> {})));
            } catch (Exception | Error e) {
                undo.run();
                throw new OutboxException(
                        "OUTBOX-0547",
                        "the ContextPropagator " + each.name() + " threw "
                                + e.getClass().getName() + " for message " + message.id() + " (" + message.type()
                                + "): the handler was not called; this counts as a failure of the handler",
                        e);
            }
        }
        return undo;
    }

    private record Restored(String name, AutoCloseable undo) {}

    private static void undo(Deque<Restored> restored, OutboxMessage message) {
        while (!restored.isEmpty()) {
            Restored last = restored.pop();
            try {
                last.undo().close();
            } catch (Exception | Error e) {
                OutboxLog.propagatorNotUndone(last.name(), message.id(), message.type(), e);
            }
        }
    }
}

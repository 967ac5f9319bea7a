package io.outboxed.internal.operations;

import static io.outboxed.internal.operations.DeliveryDrop.NOTICED_WITHIN;

import io.outboxed.OutboxAdmin;
import io.outboxed.admin.Attribution;
import io.outboxed.admin.RegisteredHandler.Drop;
import io.outboxed.admin.RegisteredHandler.DropPreview;
import io.outboxed.admin.RegisteredHandler.DropResult;
import io.outboxed.admin.RegisteredHandler.Verdict;
import io.outboxed.admin.WaitingFilter;
import io.outboxed.admin.WaitingItem;
import io.outboxed.admin.WaitingState;
import io.outboxed.internal.store.HandlerKey;
import io.outboxed.internal.store.LaneWait;
import io.outboxed.internal.store.RetiredDelivery;
import io.outboxed.internal.store.jdbc.RetiredDeliveries;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Retires a handler, and drops what waits for it. */
public final class HandlerDrop {
    private static final int SAMPLES = 5;
    private static final RetiredDeliveries.Count NOT_COUNTED = new RetiredDeliveries.Count(0, false);

    private final RetiredDeliveries deliveries;
    private final Supplier<RetiredDeliveries> lasting;
    private final MessageSearch messages;
    private final AuditTrail audit;

    /**
     * @param deliveries for single questions and changes
     * @param lasting for what may take long, on a connection of its own
     */
    HandlerDrop(
            RetiredDeliveries deliveries,
            Supplier<RetiredDeliveries> lasting,
            MessageSearch messages,
            AuditTrail audit) {
        this.deliveries = deliveries;
        this.lasting = lasting;
        this.messages = messages;
        this.audit = audit;
    }

    /**
     * What a drop would do.
     *
     * @param retiring the types for which the handler is to be retired
     * @param retired those for which it is
     * @param active those for which it stays in use
     * @param waiting also for these
     */
    public record Plan(
            Drop drop,
            Verdict verdict,
            List<String> retiring,
            List<String> retired,
            List<String> active,
            RetiredDeliveries.Count waiting) {

        public boolean isRegistered() {
            return !(retiring.isEmpty() && retired.isEmpty() && active.isEmpty());
        }

        /** Nothing waits, and nothing is to be retired. */
        public boolean isEmpty() {
            return retiring.isEmpty() && waiting.isNone();
        }
    }

    public Plan plan(Drop drop) {
        return plan(drop, deliveries.registrations(drop.handler()), count(drop));
    }

    /** How many wait decides only whether a handler that is not registered is known. Counting reads many rows. */
    private Plan planToDrop(Drop drop) {
        Map<String, Boolean> types = deliveries.registrations(drop.handler());
        return plan(drop, types, types.isEmpty() ? count(drop) : NOT_COUNTED);
    }

    private RetiredDeliveries.Count count(Drop drop) {
        return deliveries.count(drop.handler(), OutboxAdmin.MAX_SEARCHED);
    }

    private Plan plan(Drop drop, Map<String, Boolean> types, RetiredDeliveries.Count waiting) {
        List<String> retired = types.keySet().stream().filter(types::get).toList();
        List<String> inUse =
                types.keySet().stream().filter(each -> !types.get(each)).toList();
        return new Plan(
                drop,
                verdict(drop, types, inUse, waiting),
                inUse.stream().filter(each -> isToRetire(drop, each)).toList(),
                retired,
                inUse.stream().filter(each -> !isToRetire(drop, each)).toList(),
                waiting);
    }

    private static boolean isToRetire(Drop drop, String type) {
        return drop.retire() && (drop.type() == null || drop.type().equals(type));
    }

    private Verdict verdict(
            Drop drop, Map<String, Boolean> types, List<String> inUse, RetiredDeliveries.Count waiting) {
        if (types.isEmpty() && (waiting.isNone() || drop.handler().equals(LaneWait.NO_HANDLER))) {
            return Verdict.UNKNOWN_HANDLER;
        }
        if (drop.type() != null && !types.containsKey(drop.type())) {
            return Verdict.UNKNOWN_TYPE;
        }
        boolean isKept = !drop.retire()
                && !inUse.isEmpty()
                && (inUse.contains(HandlerKey.ANY_TYPE)
                        || inUse.size() == types.size()
                                && !deliveries.anyFound(drop.handler(), OutboxAdmin.MAX_SEARCHED));
        return isKept ? Verdict.NOT_RETIRED : Verdict.ACCEPTED;
    }

    /** Some of what waits for the handler. */
    public List<WaitingItem> oldest(String handler) {
        return messages.page(WaitingFilter.in(WaitingState.WAITING).handler(handler), null, SAMPLES)
                .items();
    }

    public DropPreview preview(Drop drop) {
        Plan plan = plan(drop);
        return new DropPreview(
                plan.verdict(),
                plan.retiring(),
                plan.retired(),
                plan.active(),
                plan.waiting().found(),
                plan.waiting().isAll() ? List.of() : List.of("waiting"),
                plan.waiting().isNone() ? List.of() : oldest(drop.handler()));
    }

    /** @return the types for which it has retired the handler */
    public List<String> retire(Plan plan, Attribution by) {
        String handler = plan.drop().handler();
        return plan.retiring().stream()
                .filter(type -> deliveries.retire(type, handler, audit.retiring(by, type)))
                .toList();
    }

    /** How long nodes may still add deliveries because the handler was retired a moment ago; zero if they do not. */
    public Duration untilNoticed(String handler) {
        return audit.lastRetired(handler, NOTICED_WITHIN)
                .map(NOTICED_WITHIN::minus)
                .orElse(Duration.ZERO);
    }

    /**
     * Begins to drop, on a connection of its own.
     *
     * @param dropped gets each one after its commit; if it throws, the rest is left alone
     */
    public DeliveryDrop begin(Attribution by, Consumer<RetiredDelivery> dropped) {
        return new DeliveryDrop(lasting.get(), audit.each(by, "drop-deliveries"), dropped);
    }

    /** Makes one pass. */
    public DropResult drop(Drop drop, int atMost, Attribution by) {
        Plan plan = planToDrop(drop);
        if (plan.verdict() != Verdict.ACCEPTED) {
            return new DropResult(plan.verdict(), List.of(), 0, 0, true);
        }
        List<String> retired = retire(plan, by);
        boolean isNoticed = untilNoticed(drop.handler()).isZero();
        try (DeliveryDrop drops = begin(by, each -> {})) {
            int dropped = drops.drop(drop.handler(), atMost);
            boolean isComplete = isNoticed && dropped < atMost && drops.locked() == 0;
            return new DropResult(plan.verdict(), retired, dropped, drops.locked(), isComplete);
        }
    }
}

package io.outboxed.internal.capture;

import com.github.f4b6a3.uuid.UuidCreator;
import io.outboxed.OutboxException;
import io.outboxed.PublishOptions;
import io.outboxed.internal.capture.event.EventDescriptor;
import io.outboxed.internal.capture.event.EventTypes;
import io.outboxed.internal.capture.json.JsonbReadable;
import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.hibernate.OutboxRow;
import io.outboxed.internal.signal.ObservedClasses;
import io.outboxed.internal.signal.RegistryVersion;
import io.outboxed.internal.store.LaneHash;
import io.outboxed.internal.tracing.Propagators;
import io.outboxed.internal.tracing.Tracing;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import java.lang.reflect.Modifier;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.hibernate.Hibernate;

/** Builds an event's row. Rejects what can't be stored here, in the caller's thread, instead of during the commit. */
@Dependent
class RowFactory {
    private final PayloadText payloads;
    private final RegistryVersion registry;
    private final Tracing tracing;
    private final Propagators propagators;
    private final ObservedClasses observed;
    private final OutboxConfig.Order order;

    @Inject
    RowFactory(
            PayloadText payloads,
            RegistryVersion registry,
            Tracing tracing,
            Propagators propagators,
            ObservedClasses observed,
            OutboxConfig config) {
        this.payloads = payloads;
        this.registry = registry;
        this.tracing = tracing;
        this.propagators = propagators;
        this.observed = observed;
        this.order = config.order();
    }

    OutboxRow row(Object given, PublishOptions options) {
        if (given == null) {
            throw new OutboxException("OUTBOX-0103", "the event is null: nothing was stored; publish an object");
        }
        // the fields of a proxy are never set: each event would have the aggregate 0
        Object event = Hibernate.unproxy(given);
        EventAddress address = AddressCheck.checked(address(event, options));
        UUID id = id(options, address.type());
        Tracing.StartedSpan span = tracing.publishing(id, address.type(), address.aggregateType());
        try {
            return row(id, address, event, options, span);
        } catch (Throwable e) {
            span.failed(e);
            throw e;
        } finally {
            span.end();
        }
    }

    private OutboxRow row(
            UUID id, EventAddress address, Object event, PublishOptions options, Tracing.StartedSpan span) {
        long delay = DeliveryTime.delay(options, address.type());
        DeliveryTime.notBefore(options, address.type());
        Map<String, String> given = new HashMap<>(
                propagators.capture(address.type(), headers -> HeadersText.check(headers, address.type())));
        given.putAll(options.headers());
        String headers = HeadersText.of(given, span.headers(), address.type());
        StoredPayload payload = payloads.stored(event, address.type());
        boolean standsAlone = delay > 0 || options.notBefore() != null;
        long lane = lane(id, address, standsAlone);
        return new OutboxRow(
                id,
                LaneHash.shard(lane),
                lane,
                address.aggregateType(),
                address.aggregateId(),
                address.type(),
                payload.text(),
                payload.bytes(),
                payload.size(),
                headers,
                delay,
                registry.registryVersion());
    }

    private static UUID id(PublishOptions options, String type) {
        if (options.id() != null && options.key() != null) {
            throw new OutboxException(
                    "OUTBOX-0146",
                    "the options of " + type + " have an id and a key: the event of a repeated key keeps the id of the"
                            + " first one, so the id might not be used. Nothing was stored; set one of the two");
        }
        return options.id() != null ? options.id() : UuidCreator.getTimeOrderedEpoch();
    }

    private EventAddress address(Object event, PublishOptions options) {
        EventDescriptor descriptor = EventTypes.of(event.getClass());
        String type = options.type() != null ? options.type() : descriptor.type();
        if (type == null) {
            throw new OutboxException(
                    "OUTBOX-0104",
                    event.getClass().getTypeName()
                            + " has no event type: put @EventType on the class, or publish it with"
                            + " PublishOptions.type(...)");
        }
        if (options.type() == null) {
            observed.of(type).ifPresent(each -> refuseAnother(each, event, descriptor));
        }
        String aggregateType = options.aggregateType() != null ? options.aggregateType() : descriptor.aggregateType();
        String aggregateId = options.aggregateId() != null ? given(options, type) : descriptor.aggregateIdOf(event);
        if (options.aggregateType() != null && aggregateId.isEmpty()) {
            throw withoutOrder(type, "is null, and " + event.getClass().getTypeName() + " has no @AggregateId");
        }
        return new EventAddress(type, aggregateType, aggregateId);
    }

    /**
     * The payload would be decoded to the observed class: fields that this does not have would be dropped, and those
     * that it has in addition would be empty. A class of its own with the same type is another module's view of it.
     */
    private static void refuseAnother(Class<?> observed, Object event, EventDescriptor descriptor) {
        Class<?> owner = descriptor.namedBy();
        boolean inherited = owner != descriptor.eventClass() || owner.isAssignableFrom(observed);
        if (inherited && !observed.isInstance(event)) {
            throw new OutboxException(
                    "OUTBOX-0147",
                    descriptor.eventClass().getName() + " has the event type " + descriptor.type() + " of "
                            + owner.getName() + ", but the handlers of this type observe "
                            + observed.getName() + ", so they would receive it as that class. Nothing was stored; give"
                            + " each class an @EventType of its own, or observe "
                            + owner.getSimpleName()
                            + JsonbReadable.obstacle(owner)
                                    .filter(obstacle -> Modifier.isAbstract(owner.getModifiers()))
                                    .map(obstacle -> ", which JSON-B can read only with @JsonbTypeInfo")
                                    .orElse(""));
        }
    }

    private static String given(PublishOptions options, String type) {
        if (options.aggregateId().isEmpty()) {
            throw withoutOrder(type, "is empty");
        }
        return options.aggregateId();
    }

    private static OutboxException withoutOrder(String type, String why) {
        return new OutboxException(
                "OUTBOX-0106",
                "the aggregate id given for " + type + " " + why
                        + ": its events would have no order. Set a value, or omit the aggregate if they need no order");
    }

    /** A delayed message is not part of its aggregate's order: in that lane it would hold up others or be overtaken. */
    private long lane(UUID id, EventAddress address, boolean standsAlone) {
        return order == OutboxConfig.Order.AGGREGATE && address.hasAggregate() && !standsAlone
                ? LaneHash.lane(address.aggregateType(), address.aggregateId())
                : LaneHash.lane(id);
    }
}

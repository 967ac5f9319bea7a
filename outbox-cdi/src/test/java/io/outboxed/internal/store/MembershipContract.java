package io.outboxed.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.outboxed.internal.store.cluster.HandlerRegistration;
import io.outboxed.internal.store.cluster.HandlerRegistrations.Versions;
import io.outboxed.internal.store.cluster.Lease;
import io.outboxed.internal.store.cluster.NodeHeartbeat;
import io.outboxed.internal.store.cluster.RegistrySnapshot;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Nodes, shards and handlers. */
interface MembershipContract extends StoreContract {
    @Test
    default void a_node_beats_until_it_is_declared_dead() {
        store().nodes().join("a", "host-a", 4);
        assertThat(store().nodes().beat("a")).isTrue();
        NodeHeartbeat seen = store().nodes().live().get(0);
        assertThat(seen).isEqualTo(new NodeHeartbeat("a", "host-a", 4, 1));

        assertThat(store().nodes().beat("a")).isTrue();
        assertThat(store().nodes().declareDead(seen)).as("it has beaten since").isFalse();
        NodeHeartbeat later = store().nodes().live().get(0);
        assertThat(store().nodes().declareDead(later)).isTrue();
        assertThat(store().nodes().declareDead(later))
                .as("only one node declares it")
                .isFalse();

        assertThat(store().nodes().beat("a")).isFalse();
        assertThat(store().nodes().live()).isEmpty();
    }

    @Test
    default void a_node_that_left_beats_no_more() {
        store().nodes().join("a", "host-a", 1);
        store().nodes().leave("a");
        assertThat(store().nodes().live()).isEmpty();
        assertThat(store().nodes().beat("a")).isFalse();
    }

    @Test
    default void a_shard_is_taken_once_as_observed() {
        assertThat(store().shards().all()).hasSize(64);
        Lease observed = store().shards().all().get(3);
        OptionalLong epoch = store().shards().take(observed, "a");
        assertThat(epoch).hasValue(observed.epoch() + 1);
        assertThat(store().shards().take(observed, "b")).isEmpty();
        assertThat(store().shards().all().get(3)).isEqualTo(new Lease(3, "a", observed.epoch() + 1));
    }

    @Test
    default void a_shard_is_handed_over_and_released_only_by_its_holder() {
        assertThat(store().shards().handOver(lease(), "other")).isTrue();
        assertThat(store().shards().handOver(lease(), "third")).isFalse();
        Lease others = new Lease(SHARD, "other", lease().epoch() + 1);
        Lease second = takeShard(8, "other");
        store().shards().release(List.of(lease(), others, second));
        assertThat(store().shards().all().get(SHARD)).isEqualTo(new Lease(SHARD, null, others.epoch() + 1));
        assertThat(store().shards().all().get(8)).isEqualTo(new Lease(8, null, second.epoch() + 1));
    }

    @Test
    default void the_registry_grows_only_with_new_handlers() {
        long version = store().handlers().snapshot().version();
        HandlerRegistration ship = new HandlerRegistration("order.placed", "Warehouse.ship", "Warehouse");
        HandlerRegistration mail = new HandlerRegistration("order.placed", "Mail.send", "Mail");
        assertThat(register(ship, mail, ship).registry()).isEqualTo(version + 1);
        assertThat(register(ship).registry()).isEqualTo(version + 1);
        assertThat(register(mail, new HandlerRegistration("order.gone", "Mail.send", "Mail"))
                        .registry())
                .isEqualTo(version + 2);
        RegistrySnapshot registry = store().handlers().snapshot();
        assertThat(registry.version()).isEqualTo(version + 2);
        assertThat(registry.of("order.placed"))
                .containsExactly(entry("Mail.send", "Mail"), entry("Warehouse.ship", "Warehouse"));
        assertThat(registry.of("order.gone")).containsExactly(entry("Mail.send", "Mail"));
        assertThat(registry.of("never.seen")).isEmpty();
    }

    @Test
    default void a_handler_of_any_type_is_one_of_every_type() {
        HandlerRegistration ship = new HandlerRegistration("order.placed", "Warehouse.ship", "Warehouse");
        HandlerRegistration any = new HandlerRegistration(HandlerKey.ANY_TYPE, "Audit.write", "Audit");
        long version = register(ship).registry();
        assertThat(register(ship, any)).isEqualTo(new Versions(version + 1, version + 1));
        assertThat(register(ship, any).registry()).isEqualTo(version + 1);

        RegistrySnapshot registry = store().handlers().snapshot();
        assertThat(registry.of("order.placed"))
                .containsExactly(entry("Audit.write", "Audit"), entry("Warehouse.ship", "Warehouse"));
        assertThat(registry.of("never.seen")).containsExactly(entry("Audit.write", "Audit"));
    }

    @Test
    default void the_registry_says_which_version_has_added_a_handler_of_its_type_or_of_any() {
        HandlerRegistration ship = new HandlerRegistration("order.placed", "Warehouse.ship", "Warehouse");
        HandlerRegistration moved = new HandlerRegistration("order.placed", "Warehouse.ship", "orders");
        HandlerRegistration audit = new HandlerRegistration("order.placed", "Audit.write", "Audit");
        HandlerRegistration any = new HandlerRegistration(HandlerKey.ANY_TYPE, "Audit.write", "Audit");
        long first = register(ship, audit).deployment();
        long second = register(moved, audit, any).deployment();
        RegistrySnapshot registry = store().handlers().snapshot();

        assertThat(second).isGreaterThan(first);
        assertThat(registry.versionOf(ship.key())).as("a move adds none").isEqualTo(first);
        assertThat(registry.versionOf(audit.key())).isEqualTo(second);
        assertThat(registry.versionOf(new HandlerKey("never.seen", "Audit.write")))
                .isEqualTo(second);
        assertThat(registry.versionOf(new HandlerKey("never.seen", "Warehouse.ship")))
                .isZero();
        assertThat(registry.deploymentOf(Set.of(ship.key(), audit.key()))).isEqualTo(first);
        assertThat(registry.deploymentOf(Set.of(ship.key(), any.key()))).isEqualTo(second);
        assertThat(registry.deploymentOf(Set.of())).isZero();
    }

    @Test
    default void a_handler_of_one_type_and_of_any_type_is_one_handler() {
        register(
                new HandlerRegistration("order.placed", "Audit.write", "Audit"),
                new HandlerRegistration(HandlerKey.ANY_TYPE, "Audit.write", "Audit"));

        assertThat(store().handlers().snapshot().of("order.placed")).containsExactly(entry("Audit.write", "Audit"));
    }

    @Test
    default void a_handler_that_moves_to_another_group_raises_the_registrys_version() {
        HandlerRegistration ship = new HandlerRegistration("order.placed", "Warehouse.ship", "Warehouse");
        HandlerRegistration mail = new HandlerRegistration("order.placed", "Mail.send", "Mail");
        long version = register(ship, mail).registry();
        HandlerRegistration moved = new HandlerRegistration("order.placed", "Warehouse.ship", "orders");
        assertThat(register(moved, mail).registry()).isEqualTo(version + 1);
        assertThat(register(moved).registry()).isEqualTo(version + 1);
        assertThat(store().handlers().snapshot().of("order.placed"))
                .containsExactly(entry("Mail.send", "Mail"), entry("Warehouse.ship", "orders"));
        assertThat(store().handlers().snapshot().version()).isEqualTo(version + 1);
    }

    @Test
    default void a_deployment_that_lacks_the_newest_handlers_has_a_lower_version_whenever_it_starts() {
        HandlerRegistration ship = new HandlerRegistration("order.placed", "Warehouse.ship", "Warehouse");
        HandlerRegistration mail = new HandlerRegistration("order.placed", "Mail.send", "Mail");
        Versions older = register(ship);
        Versions newer = register(ship, mail);
        assertThat(newer.deployment()).isGreaterThan(older.deployment());

        assertThat(register(ship)).isEqualTo(new Versions(newer.registry(), older.deployment()));
        assertThat(register(ship, mail)).isEqualTo(newer);
        assertThat(register()).isEqualTo(new Versions(newer.registry(), 0));
    }

    @Test
    default void a_deployment_that_moves_a_handler_back_to_its_old_group_does_not_become_newer() {
        HandlerRegistration ship = new HandlerRegistration("order.placed", "Warehouse.ship", "Warehouse");
        HandlerRegistration moved = new HandlerRegistration("order.placed", "Warehouse.ship", "orders");
        HandlerRegistration mail = new HandlerRegistration("order.placed", "Mail.send", "Mail");
        Versions older = register(ship);
        Versions newer = register(moved, mail);

        Versions back = register(ship);
        assertThat(back).isEqualTo(new Versions(newer.registry() + 1, older.deployment()));
        assertThat(register(moved, mail).deployment()).isEqualTo(newer.deployment());
    }

    private Versions register(HandlerRegistration... handlers) {
        return store().handlers().register(List.of(handlers));
    }
}

package io.outboxed.internal.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.AnyEvent;
import io.outboxed.EventType;
import io.outboxed.HandlerGroup;
import io.outboxed.HandlerName;
import io.outboxed.OutboxMessage;
import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.config.OutboxConfig.Retry;
import io.outboxed.internal.database.DatabaseDescription;
import io.outboxed.internal.handlers.Deployment;
import io.outboxed.internal.metrics.CapturedLog;
import io.outboxed.internal.metrics.OutboxMeters;
import io.outboxed.internal.relay.HandlerInvoker;
import io.outboxed.internal.store.HandlerKey;
import io.outboxed.internal.store.cluster.ClaimStrategy;
import io.outboxed.internal.store.cluster.RegistrySnapshot;
import io.outboxed.internal.tracing.Tracing;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.transaction.Transactional;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The report of a real deployment over a real database. */
class StartupReportTest {
    private static final String URL = "jdbc:h2:mem:report";
    private static final String SECRETS = ";USER=bob;PASSWORD=tiger";

    @EventType("order.placed")
    record Placed(String order) {}

    @EventType("stock.low")
    record Low(String item) {}

    @ApplicationScoped
    static class Shop {
        void ship(@Observes Placed event) {}

        @HandlerName("order-mail")
        @HandlerGroup("mails")
        @Transactional(Transactional.TxType.NOT_SUPPORTED)
        void mail(@Observes Placed event) {}

        void buy(@Observes Low event) {}
    }

    @ApplicationScoped
    static class Audit {
        void everything(@Observes @AnyEvent OutboxMessage event) {}
    }

    @AfterEach
    void forget() {
        System.clearProperty("outbox.retry.max-atempts");
        System.clearProperty("outbox.datasource.password");
    }

    private static final RegistrySnapshot REGISTERED = new RegistrySnapshot(
            3,
            Map.of(
                    "order.placed", new TreeMap<>(Map.of("Shop.ship", "Shop", "order-mail", "mails")),
                    "stock.low", new TreeMap<>(Map.of("Shop.buy", "Shop"))),
            Map.of());

    private static String report(String node, Class<?>... beans) {
        DatabaseDescription database = DatabaseDescription.of(() -> DriverManager.getConnection(URL + SECRETS));
        List<Class<?>> all = new ArrayList<>(List.of(beans));
        all.add(StartupReport.class);
        try (Deployment deployment = Deployment.of(all.toArray(Class<?>[]::new))) {
            return deployment
                    .get(StartupReport.class)
                    .text(new Environment(
                            "Payara Micro\nOUTBOX-0000 forged",
                            "Hibernate ORM 6.6.56.Final",
                            database,
                            "mine",
                            "java:app/concurrent/outbox",
                            node,
                            REGISTERED));
        }
    }

    @Test
    void it_shows_what_runs_here_and_with_what() {
        String report = report("0190-node", Shop.class);

        assertThat(report.lines())
                .startsWith("Outboxed is ready")
                .anyMatch(line -> line.matches("  version +\\d+\\.\\d+\\.\\d+.*"))
                .contains("  server       Payara Micro OUTBOX-0000 forged")
                .anyMatch(line -> line.startsWith("  java         " + System.getProperty("java.version")))
                .contains("  persistence  Hibernate ORM 6.6.56.Final")
                .anyMatch(line -> line.matches("  database     H2 2\\.4\\.\\d+ .* at h2 mem:report"))
                .anyMatch(line -> line.startsWith("  driver       H2 JDBC Driver 2.4"))
                .contains("  data source  mine")
                .contains("  tables       outbox_*, outbox.schema=create")
                .anyMatch(line -> line.startsWith("  locking      shard leases, 64 shards; row locks"))
                .anyMatch(line -> line.startsWith("  node         0190-node ("))
                .contains("  relay        8 workers, ack-batch-size 500, max-in-memory 2000, lease 10s, drain 1500ms")
                .contains("  executor     java:app/concurrent/outbox")
                .contains("  wake-up      after a commit on this node; otherwise polling, 10ms to 1s")
                .contains("  metrics      none")
                .anyMatch(line -> line.startsWith("  traces       OpenTelemetry"))
                .contains(
                        "  handlers     order.placed  Shop.ship   group Shop   transactional  10 attempts, 1s x 2.0 up to 10m, jitter")
                .contains(
                        "               \"             order-mail  group mails  outside        10 attempts, 1s x 2.0 up to 10m, jitter")
                .contains(
                        "               stock.low     Shop.buy    group Shop   transactional  10 attempts, 1s x 2.0 up to 10m, jitter")
                .endsWith("  warnings     none");
    }

    @Test
    void a_handler_of_any_type_and_a_long_list_of_registered_handlers_are_named_in_short() {
        SortedMap<String, String> six = new TreeMap<>();
        IntStream.range(0, 6).forEach(i -> six.put("Shop.m" + i, "Shop"));
        RegistrySnapshot registry = new RegistrySnapshot(
                7,
                Map.of(HandlerKey.ANY_TYPE, new TreeMap<>(Map.of("Audit.all", "Audit")), "order.placed", six),
                Map.of());

        assertThat(OtherHandlers.warning(registry, Set.of()))
                .get()
                .asString()
                .contains("Audit.all of any type, Shop.m0 of order.placed, ", " and 2 more. ");
        assertThat(OtherHandlers.warning(registry, Set.of(new HandlerKey(HandlerKey.ANY_TYPE, "Audit.all"))))
                .get()
                .asString()
                .doesNotContain("Audit.all")
                .contains(" and 1 more. ");
    }

    @Test
    void registered_handlers_that_this_deployment_lacks_are_named() {
        assertThat(report("n", Audit.class).lines())
                .endsWith(
                        "  warnings     registered handlers that this deployment lacks; another version may have them:"
                                + " Shop.buy of stock.low, Shop.ship of order.placed, order-mail of order.placed. If none has,"
                                + " events wait for them until they are retired");
    }

    @Test
    void suspicious_settings_are_listed() {
        System.setProperty("outbox.retry.max-atempts", "3");

        assertThat(report("n"))
                .contains("  handlers     none: events of every type wait")
                .contains(
                        "  warnings     outbox.retry.max-atempts is not a known key and has no effect; the closest one is"
                                + " outbox.retry.max-attempts");
    }

    @Test
    void it_names_the_shards_that_are_assigned_to_the_node() {
        assertThat(report(OutboxConfig.Relay.DEFAULTS.withShards(Set.of(0, 1, 2, 31))))
                .anyMatch(line -> line.startsWith("  locking      shard leases, only shards 0-2,31 of 64;"));
    }

    @Test
    void it_says_that_aggregates_are_claimed_by_locks_and_which_promises_that_limits() {
        assertThat(locking(ClaimStrategy.ADVISORY_LOCK))
                .startsWith(
                        "advisory locks, one for each aggregate in memory, in a session of the node that ends after")
                .endsWith("; experimental: promises 5, 8 and 10 have limits (docs/guarantees.md)");
    }

    @Test
    void it_says_that_aggregates_are_claimed_by_rows_and_which_promise_that_limits() {
        assertThat(locking(ClaimStrategy.ROW_LOCK))
                .startsWith("one row for each aggregate in memory; row locks and SKIP LOCKED tested on two connections")
                .endsWith("; experimental: promises 5 and 10 have limits (docs/guarantees.md)");
    }

    @Test
    void it_names_no_limit_of_shards() {
        assertThat(locking(ClaimStrategy.SHARDS)).doesNotContain("experimental", "promise");
    }

    private static String locking(ClaimStrategy claim) {
        return report(OutboxConfig.Relay.DEFAULTS.withClaim(claim)).stream()
                .filter(line -> line.startsWith("  locking      "))
                .map(line -> line.substring("  locking      ".length()))
                .findFirst()
                .orElseThrow();
    }

    private static List<String> report(OutboxConfig.Relay relay) {
        DatabaseDescription database = DatabaseDescription.of(() -> DriverManager.getConnection(URL + SECRETS));
        try (Deployment deployment = Deployment.of(Shop.class)) {
            return new StartupReport(
                            OutboxConfig.DEFAULTS.withRelay(relay),
                            deployment.get(HandlerInvoker.class),
                            deployment.get(Tracing.class),
                            OutboxMeters.none())
                    .text(new Environment(
                            "server", "provider", database, "mine", "executor", "n", RegistrySnapshot.EMPTY))
                    .lines()
                    .toList();
        }
    }

    @Test
    void a_policy_for_a_name_that_exists_nowhere_is_listed_and_logged() {
        OutboxConfig config = OutboxConfig.DEFAULTS
                .withRetryOverrides(Map.of("Shop.buyy", Retry.DEFAULTS, "order.placed", Retry.DEFAULTS))
                .withDeadLetters(new OutboxConfig.DeadLetters(false, Map.of("order-mail", true)));
        DatabaseDescription database = DatabaseDescription.of(() -> DriverManager.getConnection(URL + SECRETS));
        try (Deployment deployment = Deployment.of(Shop.class);
                CapturedLog log = new CapturedLog()) {
            new StartupReport(
                            config,
                            deployment.get(HandlerInvoker.class),
                            deployment.get(Tracing.class),
                            OutboxMeters.none())
                    .log(new Environment(
                            "server", "provider", database, "mine", "executor", "n", RegistrySnapshot.EMPTY));

            assertThat(log.lines)
                    .contains("WARNING OUTBOX-0291 outbox.retry.\"Shop.buyy\" applies to nothing: this deployment"
                            + " handles no event type and has no handler of that name; the closest one is Shop.buy")
                    .anyMatch(line -> line.contains("warnings") && line.contains("Shop.buyy"))
                    .anyMatch(line -> line.contains(
                            "group mails  outside        10 attempts, 1s x 2.0 up to 10m," + " jitter, then block"))
                    .noneMatch(line -> line.contains("OUTBOX-0291") && line.contains("order.placed"));
        }
    }

    @Test
    void a_handler_of_any_type_excuses_names_of_types_but_not_of_handlers() {
        OutboxConfig config = OutboxConfig.DEFAULTS.withRetryOverrides(
                Map.of("Shop.buyy", Retry.DEFAULTS, "Audit.everything", Retry.DEFAULTS, "any.type", Retry.DEFAULTS));
        try (Deployment deployment = Deployment.of(Shop.class, Audit.class);
                CapturedLog log = new CapturedLog()) {
            new StartupReport(
                            config,
                            deployment.get(HandlerInvoker.class),
                            deployment.get(Tracing.class),
                            OutboxMeters.none())
                    .log(new Environment(
                            "server",
                            "provider",
                            DatabaseDescription.of(() -> DriverManager.getConnection(URL + SECRETS)),
                            "mine",
                            "executor",
                            "n",
                            RegistrySnapshot.EMPTY));

            assertThat(log.lines.stream().filter(line -> line.contains("OUTBOX-0291")))
                    .containsExactly("WARNING OUTBOX-0291 outbox.retry.\"Shop.buyy\" applies to no handler: there is"
                            + " none of that name; the closest one is Shop.buy");
        }
    }

    @Test
    void it_contains_no_secrets() {
        System.setProperty("outbox.datasource.password", "tiger");

        assertThat(report("n", Shop.class)).doesNotContain("tiger").doesNotContain("bob");
    }
}

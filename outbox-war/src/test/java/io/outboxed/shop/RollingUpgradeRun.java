package io.outboxed.shop;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.operations.OutboxOperations;
import io.outboxed.internal.schema.SchemaCheck;
import io.outboxed.servers.database.RealDatabase;
import io.outboxed.shop.AdminClient.Answer;
import jakarta.json.JsonObject;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * No test of the build, because it needs a WAR of an older version: {@code -Drolling.war=<its outbox.war>}. The statements
 * of {@code outbox schema upgrade} run beside a node of that version, then nodes of this one join, then the last older
 * one leaves.
 */
class RollingUpgradeRun {
    private static final String RELAYS = "-Doutbox.relay.enabled=true";
    private static final String ONLY_STORES = "-Doutbox.relay.enabled=false";
    private static final int ORDERS = 200;
    private static final int POISONED = 5;

    private final List<Long> orders = new ArrayList<>();
    private final List<Long> poisoned = new ArrayList<>();
    private RealDatabase database;

    @Test
    void nodes_of_an_older_version_and_of_this_one_work_side_by_side() throws Exception {
        try (RealDatabase real = TestDatabase.real()) {
            database = real;
            olderRowsAreDeliveredByANewerNode();
            newerRowsAreDeliveredByAnOlderNode();
            bothDeliverUntilTheOlderOneLeaves();
        }
    }

    private void olderRowsAreDeliveredByANewerNode() throws SQLException {
        try (ShopServer older = older("older-1", ONLY_STORES)) {
            place(older);
            upgrade();
            place(older);
            assertThat(older.shop().count("outbox"))
                    .as("stored by the older version")
                    .isPositive();
            try (ShopServer newer = newer("newer-1", RELAYS)) {
                allAreDelivered(newer);
                assertThat(reads(older)).isEqualTo(reads(newer));
            }
        }
    }

    private void newerRowsAreDeliveredByAnOlderNode() {
        try (ShopServer older = older("older-2", RELAYS);
                ShopServer newer = newer("newer-2", ONLY_STORES)) {
            place(newer);
            allAreDelivered(older);
            assertThat(reads(older)).isEqualTo(reads(newer));
            anOlderNodeLeavesAConditionAloneThatItDoesNotKnow(older.admin(), newer.admin());
        }
    }

    private void anOlderNodeLeavesAConditionAloneThatItDoesNotKnow(AdminClient older, AdminClient newer) {
        String ofNone = discard(newer, "{\"errorKind\":\"none\"}");
        String next = discard(
                newer, "{\"handler\":\"Nobody\",\"since\":\"" + Instant.now().plusSeconds(60) + "\"}");
        Await.until(
                "the older node has done what came later",
                60,
                () -> state(older, next).equals("COMPLETE"));
        assertThat(letters(newer)).hasSize(poisoned.size());
        assertThat(state(older, ofNone)).isEqualTo("RUNNING");
        assertThat(state(newer, ofNone)).isEqualTo("RUNNING");
        assertThat(older.post("operations/" + ofNone + "/cancel", "{\"reason\":\"tried\"}")
                        .status())
                .isEqualTo(200);
        assertThat(state(newer, ofNone)).isEqualTo("CANCELLED");
    }

    private void bothDeliverUntilTheOlderOneLeaves() {
        try (ShopServer newer = newer("newer-3", RELAYS)) {
            String retry;
            String ofPoison;
            try (ShopServer older = older("older-3", RELAYS)) {
                Await.until("both relay", 60, () -> relaying(newer.admin()) == 2);
                assertThat(relaying(older.admin())).isEqualTo(2);
                Stream.of(older, newer).parallel().forEach(this::place);
                allAreDelivered(newer);
                assertThat(reads(older)).isEqualTo(reads(newer));
                retry = started(newer.admin(), "retry", "{\"handler\":\"Nobody\"}");
                ofPoison = discardOfOneKind(newer.admin());
                older.stop();
            }
            for (String operation : List.of(retry, ofPoison)) {
                Await.until(
                        "the newer node works on them",
                        60,
                        () -> state(newer.admin(), operation).equals("COMPLETE"));
            }
            assertThat(letters(newer.admin())).isEmpty();
        }
    }

    private static String discardOfOneKind(AdminClient admin) {
        JsonObject group = admin.get("dead-letters/failures")
                .json()
                .getJsonArray("failures")
                .getJsonObject(0);
        assertThat(group.getInt("count")).isEqualTo(letters(admin).size());
        return discard(admin, "{\"errorKind\":\"" + group.getString("error") + "\"}");
    }

    private static String discard(AdminClient admin, String filter) {
        return started(admin, "discard", filter);
    }

    private static String started(AdminClient admin, String kind, String filter) {
        Answer preview = admin.post("operations/preview", "{\"kind\":\"" + kind + "\",\"filter\":" + filter + "}");
        Answer started = admin.post(
                "operations/" + kind,
                "{\"filter\":" + preview.json().getJsonObject("filter") + ",\"reason\":\"sent by hand\"}",
                "If-Match",
                preview.header("ETag"));
        assertThat(started.status()).as(started.body()).isEqualTo(200);
        return started.json().getString("id");
    }

    private static String state(AdminClient admin, String operation) {
        return admin.get("operations/" + operation).json().getString("state");
    }

    private static long relaying(AdminClient admin) {
        return admin.get("status").json().getJsonArray("nodes").getValuesAs(JsonObject.class).stream()
                .filter(node -> node.getInt("shards") > 0)
                .count();
    }

    private void place(ShopServer at) {
        List<Long> placed = IntStream.range(0, ORDERS)
                .parallel()
                .mapToObj(n -> at.shop().order("tea"))
                .toList();
        List<Long> ofPoison = IntStream.range(0, POISONED)
                .mapToObj(n -> at.shop().order("poison"))
                .toList();
        synchronized (this) {
            orders.addAll(placed);
            poisoned.addAll(ofPoison);
        }
    }

    private void allAreDelivered(ShopServer seenBy) {
        Shop shop = seenBy.shop();
        shop.awaitQuiet(120);
        assertThat(orders).allSatisfy(order -> {
            assertThat(shop.parcels(order)).containsExactly("OUT");
            assertThat(shop.mails(order)).hasSize(1);
        });
        assertThat(letters(seenBy.admin())).hasSameSizeAs(poisoned);
    }

    /** Every page answers; what it shows is compared where both versions have the same fields. */
    private static List<String> reads(ShopServer server) {
        for (String page : List.of(
                "status",
                "shards",
                "handlers",
                "pauses",
                "audit",
                "operations",
                "messages?state=ready",
                "messages?state=waiting",
                "aggregate?type=order&id=1",
                "dead-letters/failures")) {
            Answer answer = server.admin().get(page);
            assertThat(answer.status()).as(page + "\n" + answer.body()).isEqualTo(200);
        }
        return letters(server.admin());
    }

    private static List<String> letters(AdminClient admin) {
        return admin.get("dead-letters?limit=200").json().getJsonArray("letters").getValuesAs(JsonObject.class).stream()
                .map(letter -> letter.getString("messageId") + " " + letter.getString("handler"))
                .toList();
    }

    /** As an operator does it, with this version's program. */
    private void upgrade() throws SQLException {
        List<String> statements;
        try (OutboxOperations operations = OutboxOperations.open(this::connect, "outbox_")) {
            statements = operations.schema().findings().stream()
                    .map(SchemaCheck.Finding::ddl)
                    .flatMap(List::stream)
                    .toList();
        }
        System.out.println("rolling: " + statements.size() + " statements: " + statements);
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            for (String each : statements) {
                statement.execute(each);
            }
        }
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection(database.url(), database.user(), database.password());
    }

    private ShopServer older(String name, String relay) {
        return ShopServer.startWith(
                        Path.of(System.getProperty("rolling.war")), name, TestDatabase.of(database), options(relay))
                .ready();
    }

    private ShopServer newer(String name, String relay) {
        return ShopServer.start(name, TestDatabase.of(database), options(relay)).ready();
    }

    private static String[] options(String relay) {
        return new String[] {"-Doutbox.admin.enabled=true", "-Doutbox.retry.initial-delay=100ms", relay};
    }
}

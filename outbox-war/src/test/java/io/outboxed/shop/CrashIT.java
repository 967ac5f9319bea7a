package io.outboxed.shop;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.admin.BulkRequest.Kind;
import io.outboxed.servers.database.RealDatabase;
import jakarta.json.JsonArray;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.jboss.shrinkwrap.api.spec.JavaArchive;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The server's process is killed twice, with orders being placed and thousands of messages on their way, and the first
 * time in the middle of a replay and of a discard of many dead letters, and of a retry of many deliveries.
 */
class CrashIT {
    private static final int ANSWERED_BEFORE_EACH_KILL = 600;
    private static final int POISONED = 160;
    private static final int DISCARDED = 75;
    private static final int WAITING = 75;
    private static final String[] OPTIONS = {"-Doutbox.admin.enabled=true", "-Doutbox.retry.initial-delay=100ms"};

    private static final Set<Long> ANSWERED = new TreeSet<>();
    private static RealDatabase real;
    private static Path war;
    private static BulkState killedReplay;
    private static BulkState killedDiscard;
    private static BulkState killedRetry;
    private static BulkState replay;
    private static BulkState discard;
    private static BulkState retry;

    @BeforeAll
    static void killTheServerTwice() throws SQLException, IOException {
        war = warThatCounts();
        real = TestDatabase.real();
        CountingWar.createTable(real);
        BulkChange replaying;
        BulkChange discarding;
        BulkChange retrying;
        try (ShopServer server = start("crash-1")) {
            IntStream.range(0, POISONED).parallel().forEach(n -> server.shop().order("poison"));
            IntStream.range(0, WAITING).parallel().forEach(n -> server.shop().order(Postman.ITEM));
            awaitDeadLetters(server);
            Customers customers = Customers.of(server.shop());
            customers.awaitAnswered(ANSWERED_BEFORE_EACH_KILL);
            String between = newerHalf(server.admin());
            retrying = BulkChange.retry(server.admin(), Postman.HANDLER, WAITING);
            discarding = BulkChange.start(Kind.DISCARD, server.admin(), "since", between);
            replaying = BulkChange.start(Kind.REPLAY, server.admin(), "until", between);
            retrying.awaitSomeChanges();
            discarding.awaitSomeChanges();
            replaying.awaitSomeChanges();
            server.kill();
            killedReplay = state(Kind.REPLAY);
            killedDiscard = state(Kind.DISCARD);
            killedRetry = state(Kind.RETRY);
            ANSWERED.addAll(customers.awaitGone());
        }
        try (ShopServer server = start("crash-2")) {
            Customers customers = Customers.of(server.shop());
            customers.awaitAnswered(ANSWERED_BEFORE_EACH_KILL);
            server.kill();
            ANSWERED.addAll(customers.awaitGone());
        }
        try (ShopServer server = start("crash-3")) {
            replaying.on(server.admin()).awaitComplete();
            discarding.on(server.admin()).awaitComplete();
            retrying.on(server.admin()).awaitComplete();
            server.shop().awaitQuiet(240);
            replay = state(Kind.REPLAY);
            discard = state(Kind.DISCARD);
            retry = state(Kind.RETRY);
            server.stop();
        }
    }

    /** @return when it begins */
    private static String newerHalf(AdminClient admin) {
        JsonArray newest = admin.get("dead-letters?limit=" + DISCARDED).json().getJsonArray("letters");
        return newest.getJsonObject(DISCARDED - 1).getString("diedAt");
    }

    @AfterAll
    static void closeDatabase() {
        if (real != null) {
            real.close();
        }
    }

    private static ShopServer start(String name) {
        return ShopServer.startWith(war, name, TestDatabase.of(real), OPTIONS).ready();
    }

    private static Path warThatCounts() throws IOException {
        return CountingWar.exported(
                CountingWar.archive()
                        .addClass(Postman.class)
                        .addAsLibrary(ShrinkWrap.create(JavaArchive.class, "settings.jar")
                                .addAsManifestResource(
                                        new StringAsset("config_ordinal=200\n" + Postman.SETTINGS),
                                        "microprofile-config.properties")),
                "crash");
    }

    private static void awaitDeadLetters(ShopServer server) {
        Await.until(
                "all mails about poison are given up",
                60,
                () -> server.shop().count("deadLetters") == POISONED,
                () -> server.shop().count("deadLetters"));
    }

    @Test
    void confirmed_orders_survive_kills_of_the_server_and_ship_exactly_once() throws SQLException {
        Set<Long> orders = ids("SELECT id FROM shop_order");
        System.out.println(ANSWERED.size() + " orders were answered, " + orders.size() + " exist");
        assertThat(orders).as("orders that exist").containsAll(ANSWERED);
        assertThat(ids("SELECT id FROM shop_order WHERE status <> 'SHIPPED'"))
                .as("orders not shipped")
                .isEmpty();
        assertThat(ids("SELECT o.id FROM shop_order o LEFT JOIN shop_shipment s ON s.order_id = o.id"
                        + " GROUP BY o.id HAVING COUNT(s.id) <> 1"))
                .as("orders without exactly one shipment")
                .isEmpty();
        assertThat(ids("SELECT o.id FROM shop_order o LEFT JOIN " + Effects.TABLE + " e ON e.order_id = o.id"
                        + " GROUP BY o.id HAVING COUNT(e.order_id) <> 1"))
                .as("orders without exactly one effect")
                .isEmpty();
        assertThat(ids("SELECT id FROM shop_order WHERE item <> 'poison'"
                        + " AND id NOT IN (SELECT order_id FROM shop_mail)"))
                .as("orders without a mail")
                .isEmpty();
        assertThat(ids("SELECT order_id FROM shop_shipment WHERE order_id NOT IN (SELECT id FROM shop_order)"))
                .as("shipments without an order")
                .isEmpty();
        assertThat(ids("SELECT COUNT(*) FROM outbox_message UNION ALL SELECT COUNT(*) FROM outbox_delivery"
                        + " UNION ALL SELECT COUNT(*) FROM outbox_lane"))
                .as("rows left in the outbox")
                .containsOnly(0L);
    }

    @Test
    void a_replay_that_a_kill_interrupts_goes_on_and_replays_each_dead_letter_once() throws SQLException {
        System.out.println("replay at the kill " + killedReplay + ", at its end " + replay);
        isInTheMiddle(killedReplay);
        isComplete(replay);
        assertThat(ids("SELECT COUNT(*) FROM outbox_dead"))
                .as("each of them has died again, and nothing else has")
                .containsExactly((long) replay.matched());
    }

    @Test
    void a_discard_that_a_kill_interrupts_goes_on_and_discards_each_dead_letter_once() {
        System.out.println("discard at the kill " + killedDiscard + ", at its end " + discard);
        isInTheMiddle(killedDiscard);
        assertThat(killedDiscard.discards()).isEqualTo(killedDiscard.changed());
        isComplete(discard);
        assertThat(discard.discards()).as("rows in the audit").isEqualTo(discard.matched());
        assertThat(discard.discarded()).as("events in the audit").isEqualTo(discard.matched());
        assertThat(discard.matched() + replay.matched()).isEqualTo(POISONED);
    }

    /** The outbox is empty in the end, although the next attempts were an hour away. */
    @Test
    void a_retry_that_a_kill_interrupts_goes_on_and_makes_each_delivery_due_once() {
        System.out.println("retry at the kill " + killedRetry + ", at its end " + retry);
        isInTheMiddle(killedRetry);
        isComplete(retry);
        assertThat(retry.matched()).isEqualTo(WAITING);
    }

    private static void isInTheMiddle(BulkState state) {
        assertThat(state.running()).isTrue();
        assertThat(state.left()).isPositive();
        isCountedRight(state);
    }

    private static void isComplete(BulkState state) {
        assertThat(state.running()).isFalse();
        assertThat(state.left()).isZero();
        isCountedRight(state);
    }

    private static void isCountedRight(BulkState state) {
        assertThat(state.changed()).isEqualTo(state.matched() - state.left());
        assertThat(state.audited()).isEqualTo(state.changed());
    }

    private static BulkState state(Kind kind) throws SQLException {
        try (Connection connection = connect()) {
            return BulkState.read(kind, connection);
        }
    }

    private static Set<Long> ids(String query) throws SQLException {
        Set<Long> ids = new TreeSet<>();
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            while (rows.next()) {
                ids.add(rows.getLong(1));
            }
        }
        return ids;
    }

    private static Connection connect() throws SQLException {
        return DriverManager.getConnection(real.url(), real.user(), real.password());
    }
}

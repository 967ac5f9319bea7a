package io.outboxed.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.admin.BulkRequest.Kind;
import io.outboxed.servers.database.RealDatabase;
import io.outboxed.shop.Shop.Answer;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A real database is down when the shop starts, and is killed later: the shop says so, and recovers by itself. */
class OutageIT {
    private static RealDatabase real;
    private static ShopServer server;
    private static Answer refused;

    /** The outbox is in another schema, which the start can't ask the database about either. */
    @BeforeAll
    static void startWithoutTheDatabase() throws SQLException, IOException {
        real = TestDatabase.real();
        run("CREATE SCHEMA outboxed");
        CountingWar.createTable(real);
        real.kill();
        server = ShopServer.startWith(
                        CountingWar.exported(CountingWar.archive(), "outage"),
                        "outage",
                        TestDatabase.of(real),
                        "-Doutbox.table-prefix=outboxed.shop_",
                        "-Doutbox.admin.enabled=true")
                .ready();
        refused = server.shop().tryToOrder("tea");
        real.restart();
        awaitOrder("an order is taken", 201);
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
        if (real != null) {
            real.close();
        }
    }

    @Test
    void a_shop_whose_database_is_down_at_the_start_says_so_and_works_once_it_is_up() throws SQLException {
        assertThat(refused.status()).as(refused.body()).isEqualTo(503);
        assertThat(refused.mediaType()).contains("application/problem+json");
        long order = server.shop().order("tea");
        Await.until("it is shipped", 60, () -> server.shop().status(order).equals("SHIPPED"));
        run("SELECT COUNT(*) FROM outboxed.shop_message");
        assertThatThrownBy(() -> run("SELECT COUNT(*) FROM outbox_message"))
                .as("the table with the default name")
                .isInstanceOf(SQLException.class);
    }

    @Test
    void a_database_killed_during_work_loses_and_duplicates_nothing() throws SQLException {
        Customers customers = Customers.of(server.shop());
        customers.awaitAnswered(200);
        Await.until("events are on their way", 60, () -> server.shop().count("outbox") > 0);

        real.kill();
        awaitOrder("orders are refused", 503);
        real.restart();
        customers.awaitAnswered(customers.answered() + 50);
        Set<Long> answered = customers.leave();

        server.shop().awaitQuiet(120);
        assertThat(CountingWar.effects(real)).containsKeys(answered.toArray(Long[]::new));
        assertThat(CountingWar.effects(real).values()).containsOnly(1);
        assertThat(answered)
                .allSatisfy(order -> assertThat(server.shop().parcels(order)).containsExactly("OUT"));
        assertThat(answered)
                .allSatisfy(order -> assertThat(server.shop().mails(order)).isNotEmpty());
        assertThat(server.shop().count("deadLetters")).isZero();
    }

    @Test
    void an_unreachable_database_makes_the_node_not_ready_and_restarts_nothing() {
        Health health = server.health();
        health.awaitReady("outbox-relay UP", "outbox-store UP");
        assertThat(health.checks("started")).containsExactly("outbox-schema UP");
        assertThat(health.checks("live")).containsExactly("outbox-relay UP");
        assertThat(health.all()).contains("\"shards\"").doesNotContain("jdbc:", real.url());

        real.kill();
        health.awaitReady("outbox-store DOWN");
        assertThat(health.checks("live")).containsExactly("outbox-relay UP");

        real.restart();
        health.awaitReady("outbox-relay UP", "outbox-store UP");
        awaitOrder("orders are taken", 201);
    }

    @Test
    void the_admin_api_says_that_the_database_is_down_and_changes_nothing() {
        AdminClient admin = server.admin();
        String pause = "{\"kind\":\"handler\",\"name\":\"Mailer.confirm\",\"reason\":\"never stored\"}";
        assertThat(admin.get("status").status()).isEqualTo(200);

        real.kill();
        for (AdminClient.Answer answer : List.of(admin.get("status"), admin.post("pauses", pause))) {
            assertThat(answer.status()).as(answer.body()).isEqualTo(503);
            assertThat(answer.json().getString("type")).isEqualTo("urn:outboxed:problem:database-unavailable");
        }

        real.restart();
        Await.until("the API answers", 60, () -> admin.get("status").status() == 200);
        assertThat(admin.get("pauses").json().getJsonArray("pauses")).isEmpty();
        AdminClient.Answer audit = admin.get("audit");
        assertThat(audit.status()).as(audit.body()).isEqualTo(200);
        assertThat(audit.body()).doesNotContain("never stored");
        awaitOrder("orders are taken", 201);
    }

    /** Poisoned mails die again: each that was replayed is back once. */
    @Test
    void a_bulk_replay_whose_database_is_killed_goes_on_and_replays_each_dead_letter_once() throws SQLException {
        int letters = 40;
        IntStream.range(0, letters).parallel().forEach(n -> server.shop().order("poison"));
        awaitDeadLetters(letters);
        BulkChange replay = BulkChange.start(Kind.REPLAY, server.admin(), "since", "2026-01-01T00:00:00Z");
        replay.awaitSomeChanges();
        assertThat(replay.changed()).as("under way").isLessThan(letters);

        real.kill();
        awaitOrder("orders are refused", 503);
        real.restart();
        awaitOrder("orders are taken", 201);
        replay.awaitComplete();

        var operation = server.admin().get("operations/" + replay.id()).json();
        assertThat(List.of(operation.getInt("matched"), operation.getInt("changed")))
                .containsExactly(letters, letters);
        assertThat(server.admin().get("audit?limit=200").json().getJsonArray("entries"))
                .filteredOn(entry -> entry.toString().contains("mail is back"))
                .singleElement()
                .satisfies(entry ->
                        assertThat(entry.asJsonObject().getInt("count")).isEqualTo(letters));
        server.shop().awaitQuiet(120);
        awaitDeadLetters(letters);
        run("DELETE FROM outboxed.shop_dead");
    }

    private static void awaitDeadLetters(int letters) {
        Await.until("mails are given up", 60, () -> server.shop().count("deadLetters") == letters);
    }

    private static void run(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(real.url(), real.user(), real.password());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static void awaitOrder(String what, int status) {
        Await.until(what, 60, () -> server.shop().tryToOrder("tea").status() == status, server::log);
    }
}

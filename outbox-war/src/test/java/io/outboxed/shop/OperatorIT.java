package io.outboxed.shop;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.admin.BulkRequest.Kind;
import io.outboxed.admin.DeadLetterFilter;
import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Dialect;
import io.outboxed.operator.Operator;
import io.outboxed.operator.OperatorContract;
import io.outboxed.operator.OperatorJson;
import io.outboxed.operator.Outcome;
import io.outboxed.rest.access.AdminOperation;
import io.outboxed.shop.AdminClient.Answer;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the admin API does as the Java API and the command line do, on a server that relays nothing meanwhile. */
class OperatorIT extends OperatorContract {
    private static TestDatabase database;
    private static ShopServer server;
    private static AdminClient client;

    @BeforeAll
    static void startServer() throws Exception {
        database = TestDatabase.shared();
        server = ShopServer.start(
                        "operator",
                        database,
                        "-Doutbox.relay.enabled=false",
                        "-Doutbox.admin.enabled=true",
                        "-Doutbox.admin.edit=true")
                .ready();
        client = server.admin();
    }

    @AfterAll
    static void stopServer() throws Exception {
        if (server != null) {
            server.close();
        }
        if (database != null) {
            database.close();
        }
    }

    @Override
    protected ConnectionSource source() {
        return () -> DriverManager.getConnection(database.url(), database.user(), database.password());
    }

    @Override
    protected Dialect dialect() {
        return Dialect.valueOf(System.getProperty("it.database").toUpperCase(Locale.ROOT));
    }

    /** {@link AdminInputTests} sends them to ids that do not exist. */
    @Test
    void wrong_bodies_for_what_exists_change_nothing() throws SQLException {
        UUID died = tables().dead("order.placed", "1", "mail", "down");
        UUID waits = tables().waiting("order.placed", "2", "mail");
        operator().start(new Operator.Bulk(Kind.DISCARD, DeadLetterFilter.all().handler("other"), false, 1, "tested"));
        String running =
                tables().ids("SELECT id AS found FROM outbox_operation").get(0).toString();
        List<String> addresses = List.of("messages/" + died, "messages/" + waits, "operations/" + running);
        Map<String, Integer> rows = tables().counts();
        List<String> before =
                addresses.stream().map(each -> client.get(each).body()).toList();

        for (AdminOperation operation : AdminOperation.values()) {
            if (operation.takesBody() && operation.path().contains("{id}")) {
                for (String address : addresses) {
                    String path = operation.path().replaceFirst("\\w+/\\{id}", address);
                    int refused = operation.path().startsWith(address.substring(0, address.indexOf('/'))) ? 400 : 404;
                    AdminInputTests.WRONG_BODIES.forEach(body -> {
                        Answer answer = client.post(path, body);
                        assertThat(answer.status()).as(path + answer.body()).isEqualTo(refused);
                    });
                }
            }
        }
        assertThat(tables().counts()).isEqualTo(rows);
        assertThat(addresses.stream().map(each -> client.get(each).body())).containsExactlyElementsOf(before);
    }

    @Test
    void a_handler_is_retired_only_as_a_preview_has_shown() throws SQLException {
        tables().handler("order.placed", "old", false);
        tables().waiting("order.placed", "1", "old");
        String address = "handlers/drop-deliveries";
        String body = """
                {"handler":"old","retire":true,"reason":"tested"}""";
        Answer preview = client.post(address + "/preview", """
                {"handler":"old","retire":true}""");
        assertThat(preview.json().getJsonArray("oldest")).hasSize(1);
        String seen = preview.header("ETag");

        assertThat(client.post(address, body).status()).isEqualTo(428);
        assertThat(client.post(address, body, "If-Match", "\"stale\"").status()).isEqualTo(412);
        tables().handler("order.shipped", "old", false);
        assertThat(client.post(address, body, "If-Match", seen).status()).isEqualTo(412);
        assertThat(tables().texts("SELECT handler FROM outbox_handler WHERE retired = 1"))
                .isEmpty();
        tables().run("DELETE FROM outbox_handler WHERE type = 'order.shipped'");
        Answer dropped = client.post(address, body, "If-Match", seen);
        assertThat(dropped.status()).as(dropped.body()).isEqualTo(200);
        assertThat(dropped.json()).isEqualTo(OperatorJson.object("""
                {"retired":["order.placed"],"dropped":1,"locked":0,"complete":false}"""));
        assertThat(tables().count("delivery")).isZero();
    }

    @Test
    void a_change_that_cannot_be_recorded_is_not_made() throws SQLException {
        UUID died = tables().dead("order.placed", "1", "mail", "down");
        UUID waits = tables().waiting("order.placed", "2", "mail");
        Map<String, Integer> rows = tables().counts();
        tables().run("ALTER TABLE outbox_audit RENAME TO outbox_audit_away");
        try {
            Map.of(
                            "messages/" + died + "/discard", """
                            {"handler":"mail","reason":"tested"}""",
                            "messages/" + died + "/replay", """
                            {"handler":"mail","allowReordering":true,"reason":"tested"}""",
                            "messages/" + died + "/edit", """
                            {"handler":"mail","allowReordering":true,"reason":"tested","payload":"{}"}""",
                            "messages/" + waits + "/retry", """
                            {"handler":"mail","reason":"tested"}""")
                    .forEach((address, body) -> {
                        Answer answer = client.post(address, body);
                        assertThat(answer.status()).as(address + answer.body()).isEqualTo(500);
                        assertThat(answer.json().getString("type")).isEqualTo("urn:outboxed:problem:failed");
                    });
        } finally {
            tables().run("ALTER TABLE outbox_audit_away RENAME TO outbox_audit");
        }
        assertThat(tables().counts()).isEqualTo(rows);
        assertThat(operator().discard(died.toString(), "mail", "it can be recorded again"))
                .isEqualTo(Outcome.DONE);
    }

    @Override
    public Operator operator() {
        return new RestOperator(client, "demo");
    }
}

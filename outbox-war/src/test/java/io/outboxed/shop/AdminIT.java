package io.outboxed.shop;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.rest.access.AdminOperation;
import io.outboxed.rest.access.Role;
import io.outboxed.shop.AdminClient.Answer;
import jakarta.json.Json;
import jakarta.json.JsonObject;
import java.io.File;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.jboss.shrinkwrap.api.importer.ZipImporter;
import org.jboss.shrinkwrap.api.spec.JavaArchive;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The admin API, enabled: each role with each operation, and an operator's work. */
@ExtendWith({ServerExtension.class, ArquillianExtension.class})
class AdminIT {
    private static final String PASSWORD = UUID.randomUUID().toString();
    private static final String UNKNOWN = "018f3c1e-7b1a-7000-8000-00000000abcd";

    private final Shop shop = Shop.at(ServerExtension.port());
    private final AdminClient operator = as("operator");

    @Deployment(testable = false)
    static WebArchive war() {
        return ShrinkWrap.create(ZipImporter.class, "outbox.war")
                .importFrom(new File(System.getProperty("it.war")))
                .as(WebArchive.class)
                .addClasses(AdminUsers.class, ScanningApplication.class)
                .addAsLibrary(ShrinkWrap.create(JavaArchive.class, "settings.jar")
                        .addAsManifestResource(
                                new StringAsset("outbox.admin.enabled=true\noutbox.admin.edit=true\n"
                                        + AdminUsers.PASSWORD + "=" + PASSWORD + "\n"),
                                "microprofile-config.properties"));
    }

    @BeforeAll
    static void deployed() {
        Await.until(
                "the WAR is deployed; the server's log in this test's output says why not",
                30,
                () -> Shop.at(ServerExtension.port()).deployed());
    }

    private static AdminClient as(String user) {
        return AdminClient.at(ServerExtension.port(), user, PASSWORD);
    }

    // ---- who may do what ----

    static Stream<Arguments> each_role_with_each_operation() {
        return Arrays.stream(Role.values())
                .flatMap(role -> Arrays.stream(AdminOperation.values()).map(each -> Arguments.of(role, each)));
    }

    @ParameterizedTest
    @MethodSource
    void each_role_with_each_operation(Role role, AdminOperation operation) {
        Answer answer = harmless(as(role.name().toLowerCase(Locale.ROOT)), operation);

        if (grants(role, operation.role())) {
            assertThat(answer.status()).as(answer.body()).isEqualTo(admitted(operation));
        } else {
            assertThat(answer.status()).as(answer.body()).isEqualTo(403);
            assertThat(answer.json().getString("type")).isEqualTo("urn:outboxed:problem:forbidden");
        }
    }

    private static boolean grants(Role held, Role needed) {
        return switch (needed) {
            case VIEWER -> true;
            case OPERATOR -> held == Role.OPERATOR || held == Role.ADMIN;
            case EDITOR -> held == Role.EDITOR;
            case ADMIN -> held == Role.ADMIN;
        };
    }

    /** An empty body is refused only after everything else was accepted. */
    private static int admitted(AdminOperation operation) {
        if (!operation.method().equals("GET")) {
            return 400;
        }
        return switch (operation) {
            case MESSAGES, AGGREGATE -> 400;
            case MESSAGE, CONTENT, OPERATION -> 404;
            default -> 200;
        };
    }

    private static Answer harmless(AdminClient client, AdminOperation operation) {
        String path = operation.path().replace("{id}", UNKNOWN);
        return operation.method().equals("GET") ? client.get(path) : client.post(path, "{}");
    }

    @ParameterizedTest
    @EnumSource
    void nobody_else_may_do_anything(AdminOperation operation) {
        assertThat(harmless(as("nobody"), operation).status()).isEqualTo(403);
        for (AdminClient stranger : List.of(as(null), AdminClient.at(ServerExtension.port(), "admin", "guessed"))) {
            Answer answer = harmless(stranger, operation);
            assertThat(answer.status()).as(answer.body()).isEqualTo(401);
            assertThat(answer.header("WWW-Authenticate")).startsWith("Basic");
        }
    }

    @Test
    void what_is_not_in_the_table_is_refused() {
        AdminClient admin = as("admin");

        assertThat(as(null).get("nowhere").status()).isEqualTo(401);
        for (String path : List.of("", "nowhere", "status/", "status;v=1", "application.wadl", "messages/1")) {
            assertThat(admin.get(path).status()).as(path).isEqualTo(404);
        }
        for (String method : List.of("PUT", "DELETE", "PATCH", "OPTIONS")) {
            Answer answer = admin.send(method, "status", null);
            assertThat(answer.status()).as(method).isEqualTo(405);
            assertThat(answer.header("Allow")).isEqualTo("GET, HEAD");
        }
        assertThat(admin.send("HEAD", "status", null).status()).isEqualTo(200);
    }

    /** An application that lets the server find its resources must not open a second way to ours. */
    @Test
    void no_other_application_of_the_war_serves_the_resources() {
        AdminClient admin = as("admin");

        assertThat(admin.sendTo("scanning/dead-letters", "GET", null).status())
                .as("it serves what it finds, and the shop's own path of that name is not hidden")
                .isEqualTo(200);
        for (AdminOperation operation : AdminOperation.values()) {
            Answer answer = admin.sendTo(
                    "scanning/admin/v1/" + operation.path().replace("{id}", UNKNOWN),
                    operation.method(),
                    operation.method().equals("GET") ? null : "{}",
                    "Content-Type",
                    "application/json");
            assertThat(answer.status()).as(operation + answer.body()).isEqualTo(404);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "Sec-Fetch-Site, cross-site, application/json, 403",
        "Sec-Fetch-Site, same-site, application/json, 403",
        "Origin, https://evil.example, application/json, 403",
        "Origin, null, application/json, 403",
        "Sec-Fetch-Site, same-origin, text/plain, 415",
        "Sec-Fetch-Site, none, application/x-www-form-urlencoded, 415",
        "Sec-Fetch-Site, same-origin, application/json, 400"
    })
    void a_page_of_another_site_changes_nothing(String header, String value, String mediaType, int expected) {
        Answer answer = as("admin").send("POST", "pauses/everything", "{}", header, value, "Content-Type", mediaType);

        assertThat(answer.status()).as(answer.body()).isEqualTo(expected);
        assertThat(answer.header("Content-Type")).startsWith("application/problem+json");
        assertThat(answer.header("Access-Control-Allow-Origin")).isNull();
    }

    @Test
    void no_answer_becomes_a_page_or_stays_in_a_cache() {
        for (Answer answer : List.of(operator.get("status"), operator.get("nowhere"), as(null).get("status"))) {
            assertThat(answer.header("Content-Type")).startsWith("application/");
            assertThat(answer.header("X-Content-Type-Options")).isEqualTo("nosniff");
            assertThat(answer.header("Cache-Control")).contains("no-store");
            assertThat(answer.response().headers().allValues("Content-Security-Policy"))
                    .anySatisfy(policy -> assertThat(policy).contains("default-src 'none'"));
        }
    }

    @Test
    void a_body_that_is_too_long_is_refused() {
        String body = "{\"reason\":\"" + "x".repeat(20_000) + "\"}";

        assertThat(operator.post("pauses", body).status()).isEqualTo(413);
    }

    // ---- an operator's work ----

    @Test
    void a_dead_letter_is_found_and_replayed() {
        long order = shop.order("poison");
        JsonObject dead = awaitDeadLetter(order);
        String id = dead.getString("messageId");
        String handler = dead.getString("handler");

        assertThat(operator.get("dead-letters/failures?handler=" + handler).body())
                .contains("\"handler\":\"" + handler + "\"");
        Answer seen = operator.get("messages/" + id);
        assertThat(seen.json().getJsonArray("deadLetters")).hasSize(1);
        assertThat(operator.get("messages/" + id + "/content").status()).isEqualTo(403);
        assertThat(as("editor").get("messages/" + id + "/content").body()).contains("poison");
        assertThat(seen.body()).doesNotContain("customer");

        String request = "{\"handler\":\"" + handler + "\",\"reason\":\"the caf\u00e9 gets mail again\"";
        Answer atRisk = operator.post("messages/" + id + "/replay", request + "}");
        assertThat(atRisk.status()).as(atRisk.body()).isEqualTo(409);
        assertThat(atRisk.json().getString("type")).isEqualTo("urn:outboxed:problem:order-at-risk");
        request += ",\"acceptOrder\":true}";
        assertThat(operator.post("messages/" + id + "/replay", request, "If-Match", "\"stale\"")
                        .status())
                .isEqualTo(412);
        Answer replayed = operator.post("messages/" + id + "/replay", request, "If-Match", seen.header("ETag"));
        assertThat(replayed.status()).as(replayed.body()).isEqualTo(200);
        assertThat(as("admin").post("messages/" + id + "/replay", request).status())
                .as("a second operator is told")
                .isEqualTo(409);
        awaitDeadLetter(order);
        assertThat(operator.get("audit").body())
                .contains("the caf\u00e9 gets mail again")
                .contains(id);
    }

    @Test
    void many_dead_letters_are_previewed_and_discarded() {
        long first = shop.order("poison");
        long second = shop.order("poison");
        String handler = awaitDeadLetter(first).getString("handler");
        awaitDeadLetter(second);
        AdminClient admin = as("admin");

        assertThat(admin.post("dead-letters/preview", "{}").status())
                .as("everything has to be asked for")
                .isEqualTo(400);
        Answer preview = admin.post("dead-letters/preview", "{\"filter\":{\"handler\":\"" + handler + "\"}}");
        int matched = preview.json().getInt("matched");
        assertThat(matched).isGreaterThanOrEqualTo(2);
        assertThat(preview.json().getJsonArray("newest")).isNotEmpty();
        long later = shop.order("poison");
        awaitDeadLetter(later);

        String request =
                "{\"filter\":" + preview.json().getJsonObject("filter") + ",\"atMost\":1,\"reason\":\"sent by hand\"}";
        assertThat(admin.post("dead-letters/discard", request).status()).isEqualTo(428);
        assertThat(admin.post("dead-letters/discard", request, "If-Match", "\"stale\"")
                        .status())
                .isEqualTo(412);
        Answer step = admin.post("dead-letters/discard", request, "If-Match", preview.header("ETag"));
        assertThat(step.status()).as(step.body()).isEqualTo(200);
        assertThat(step.json().getInt("changed")).isEqualTo(1);
        assertThat(step.json().getInt("remaining")).isEqualTo(matched - 1);
        while (step.json().getInt("remaining") > 0) {
            step = admin.post("dead-letters/discard", request, "If-Match", step.header("ETag"));
            assertThat(step.status()).as(step.body()).isEqualTo(200);
        }
        assertThat(deadLetter(first)).isNull();
        assertThat(deadLetter(later)).as("died after the preview").isNotNull();
    }

    @Test
    void the_nodes_discard_many_dead_letters_in_the_background() {
        long order = shop.order("poison");
        String handler = awaitDeadLetter(order).getString("handler");
        AdminClient admin = as("admin");

        Answer preview = admin.post("dead-letters/preview", "{\"filter\":{\"handler\":\"" + handler + "\"}}");
        String request = "{\"filter\":" + preview.json().getJsonObject("filter")
                + ",\"perSecond\":1000,\"reason\":\"sent by hand\"}";
        assertThat(admin.post("operations/discard", request).status()).isEqualTo(428);
        assertThat(admin.post("operations/discard", request, "If-Match", "\"stale\"")
                        .status())
                .isEqualTo(412);
        String tooFast = request.replace("1000", "1001");
        assertThat(admin.post("operations/discard", tooFast, "If-Match", preview.header("ETag"))
                        .status())
                .isEqualTo(400);
        Answer started = admin.post("operations/discard", request, "If-Match", preview.header("ETag"));
        assertThat(started.status()).as(started.body()).isEqualTo(200);
        assertThat(started.json().getJsonObject("filter"))
                .isEqualTo(preview.json().getJsonObject("filter"));
        String id = started.json().getString("id");
        Await.until(
                "the operation is complete",
                60,
                () -> operator.get("operations/" + id).body().contains("\"state\":\"COMPLETE\""));
        assertThat(deadLetter(order)).isNull();
        assertThat(operator.get("operations").body()).contains(id, "sent by hand");
        assertThat(operator.post("operations/" + id + "/cancel", "{\"reason\":\"too late\"}")
                        .status())
                .isEqualTo(409);
    }

    @Test
    void an_editor_replays_a_dead_letter_with_another_payload() {
        long order = shop.order("poison");
        JsonObject letter = awaitDeadLetter(order);
        String id = letter.getString("messageId");
        AdminClient editor = as("editor");
        String payload = editor.get("messages/" + id + "/content").json().getString("text");
        String request = "{\"handler\":\"" + letter.getString("handler") + "\",\"acceptOrder\":true,"
                + "\"reason\":\"wrong item\",\"payload\":";

        Answer refused = editor.post("messages/" + id + "/edit", request + "\"{\"}");
        assertThat(refused.status()).as(refused.body()).isEqualTo(400);
        assertThat(editor.post("messages/" + id + "/edit", request.replace("true", "false") + "\"{}\"}")
                        .status())
                .isEqualTo(409);
        Answer edited = editor.post(
                "messages/" + id + "/edit", request + Json.createValue(payload.replace("poison", "book")) + "}");
        assertThat(edited.status()).as(edited.body()).isEqualTo(200);
        assertThat(edited.json().getString("event")).isNotEqualTo(id);
        assertThat(deadLetter(order)).isNull();
        assertThat(operator.get("audit").body())
                .contains("wrong item", edited.json().getString("event"));
    }

    @Test
    void a_paused_handler_gets_nothing_until_it_is_resumed() {
        String target = "{\"kind\":\"handler\",\"name\":\"Mailer.confirm\",\"reason\":\"mail server is replaced\"}";
        long waiting;
        assertThat(operator.post("pauses", target).status()).isEqualTo(200);
        try {
            assertThat(operator.post("pauses", target).status()).isEqualTo(409);
            assertThat(operator.get("pauses").body()).contains("mail server is replaced");
            waiting = orderThatWaitsForThePause();
            assertThat(shop.mails(waiting)).isEmpty();
        } finally {
            assertThat(operator.post("pauses/resume", target).status()).isEqualTo(200);
        }
        Await.until("the mail is sent", 20, () -> !shop.mails(waiting).isEmpty());
    }

    /** The relay notices the pause a moment later: until then mails are sent. */
    private long orderThatWaitsForThePause() {
        for (int i = 0; i < 50; i++) {
            long order = shop.order("tea");
            Await.until(
                    "a mail or the pause",
                    20,
                    () -> isPaused(order) || !shop.mails(order).isEmpty());
            if (isPaused(order)) {
                return order;
            }
        }
        throw new AssertionError("50 mails were sent in spite of the pause");
    }

    private boolean isPaused(long order) {
        return operator.get("aggregate?type=order&id=" + order).body().contains("\"cause\":\"PAUSE\"");
    }

    @Test
    void pages_follow_each_other() {
        awaitDeadLetter(shop.order("poison"));
        awaitDeadLetter(shop.order("poison"));

        JsonObject page = operator.get("dead-letters?limit=1").json();
        assertThat(page.getJsonArray("letters")).hasSize(1);
        JsonObject next = operator.get("dead-letters?limit=1&after=" + page.getString("next"))
                .json();
        assertThat(next.getJsonArray("letters")).hasSize(1).isNotEqualTo(page.getJsonArray("letters"));
        assertThat(operator.get("dead-letters?after=forged").status()).isEqualTo(400);
        assertThat(operator.get("messages?state=ready&after=forged").status()).isEqualTo(400);
        assertThat(operator.get("dead-letters?hendler=x").body()).contains("hendler");
    }

    @Test
    void the_rest_is_readable() {
        assertThat(operator.get("status").json().getJsonArray("nodes")).isNotEmpty();
        assertThat(operator.get("shards").json().getJsonArray("shards")).hasSize(64);
        assertThat(operator.get("handlers").body()).contains("Mailer.confirm", "Warehouse.ship");
        assertThat(operator.get("aggregate?type=order&id=4711").status()).isEqualTo(200);
        for (String state : Set.of("ready", "parked", "waiting", "blocked")) {
            assertThat(operator.get("messages?state=" + state).status())
                    .as(state)
                    .isEqualTo(200);
        }
    }

    private JsonObject awaitDeadLetter(long order) {
        Await.until("the dead letter of order " + order, 60, () -> deadLetter(order) != null);
        return deadLetter(order);
    }

    /** @return null if there is none */
    private JsonObject deadLetter(long order) {
        List<JsonObject> letters = operator.get("dead-letters?aggregateType=order&aggregateId=" + order)
                .json()
                .getJsonArray("letters")
                .getValuesAs(JsonObject.class);
        return letters.isEmpty() ? null : letters.get(0);
    }
}

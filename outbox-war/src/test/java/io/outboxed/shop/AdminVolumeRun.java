package io.outboxed.shop;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.servers.database.RealDatabase;
import io.outboxed.servers.database.RealMariaDb;
import io.outboxed.servers.database.RealMySql;
import io.outboxed.servers.database.RealPostgres;
import io.outboxed.servers.database.ServerOptions;
import io.outboxed.shop.AdminClient.Answer;
import jakarta.json.JsonObject;
import jakarta.json.JsonValue;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * No test but a measurement, which prints its times: each read of the admin API, as the median of five requests. {@code
 * VolumeRun} of {@code outbox-cdi} fills the database in {@code -Dvolume.directory}; without it, the tables are empty.
 */
class AdminVolumeRun {
    private static final int TIMES = 5;
    /** Whoever follows a list to its first line asks for as many pages at most. */
    private static final int MOST_PAGES = 10;

    private static final boolean IS_FILLED = System.getProperty("volume.directory") != null;
    private static final String NO_EVENT = "00000000-0000-7000-8000-000000000000";

    private AdminClient admin;

    @Test
    void every_page() throws Exception {
        try (RealDatabase database = database();
                ShopServer server = ShopServer.start(
                        "volume",
                        TestDatabase.of(database),
                        "-Doutbox.admin.enabled=true",
                        "-Doutbox.relay.enabled=false")) {
            server.ready();
            admin = server.admin();
            for (String page : new String[] {"status", "shards", "handlers", "pauses"}) {
                get(page, page);
            }
            JsonObject changes = get("audit", "audit");
            if (changes.containsKey("next")) {
                get("audit, the second page", "audit?after=" + changes.getString("next"));
            }
            get("operations", "operations");
            get("operations/{one that is unknown}", "operations/" + NO_EVENT, 404);
            whatWaits();
            deadLetters(Instant.now());
            previews(Instant.now());
        }
    }

    private void whatWaits() {
        for (String state : new String[] {"ready", "waiting", "blocked", "parked"}) {
            String list = "messages?limit=100&state=" + state;
            JsonObject page = get(list, list);
            for (int i = 1; page.getJsonArray("items").isEmpty() && page.containsKey("next") && i < MOST_PAGES; i++) {
                page = get(list + ", page " + (i + 1), list + "&after=" + page.getString("next"));
            }
            if (state.equals("waiting")) {
                first(page, "items", "messageId").ifPresent(event -> {
                    get("messages/{a waiting one}", "messages/" + event);
                    get("messages/{a waiting one}/content", "messages/" + event + "/content");
                });
            }
        }
        get("messages/{one that is unknown}", "messages/" + NO_EVENT, 404);
        get("messages?state=waiting of one handler in a hundred", "messages?limit=100&state=waiting&handler=Mailer7");
        get("messages?state=waiting of a handler that has none", "messages?limit=100&state=waiting&handler=Nobody");
        get("aggregate with 20,000 events", "aggregate?type=order&id=big");
        get("aggregate without events", "aggregate?type=order&id=none");
    }

    private void deadLetters(Instant now) {
        String list = "dead-letters?limit=100";
        String oldest = list + "&until=" + before(now, 239);
        JsonObject page = get("dead-letters", list);
        get("dead-letters, a page nine days back", list + "&until=" + before(now, 216));
        JsonObject last = get("dead-letters, the oldest page", oldest);
        get("dead-letters of one hour", list + "&since=" + before(now, 50) + "&until=" + before(now, 49));
        first(last, "letters", "messageId").ifPresent(event -> {
            get("dead-letters of one event", list + "&messageId=" + event);
            get("messages/{a dead letter's}", "messages/" + event);
        });
        if (page.containsKey("next")) {
            get("dead-letters, the second page", list + "&after=" + page.getString("next"));
        }
        String fiveDaysBack = "&until=" + before(now, 120);
        for (String[] each : new String[][] {
            {"one handler in a hundred", "&handler=Mailer7"},
            {"a handler that has none", "&handler=Nobody"},
            {"one type in a hundred", "&type=order.type7"},
            {"a type that has none", "&type=order.none"},
            {"one aggregate in a thousand", "&aggregateType=order&aggregateId=o-7"},
            {"an aggregate that has none", "&aggregateType=order&aggregateId=none"}
        }) {
            get("dead-letters of " + each[0], list + each[1]);
            get("dead-letters of " + each[0] + ", a page five days back", list + each[1] + fiveDaysBack);
        }
        get("dead-letters that block", list + "&blocking=true");
        get("dead-letters that block, a page five days back", list + "&blocking=true" + fiveDaysBack);
        get("dead-letters of an aggregate's type without its id", list + "&aggregateType=order");
        get("dead-letters of a type of aggregates that none has", list + "&aggregateType=none");
        get("dead-letters of a kind of error that none has", list + "&errorKind=none");
        get("dead-letters of a kind of error, five days back", list + "&errorKind=connection%20refused" + fiveDaysBack);
        get("dead-letters with a text that no error has", list + "&error=none");
        get("dead-letters/failures", "dead-letters/failures");
        get("dead-letters/failures of one handler", "dead-letters/failures?handler=Mailer7");
    }

    private void previews(Instant now) {
        preview("of one hour", "\"since\":\"" + before(now, 50) + "\",\"until\":\"" + before(now, 49) + "\"");
        preview("of one handler in a hundred", "\"handler\":\"Mailer7\"");
        preview("of one aggregate in a thousand", "\"aggregateType\":\"order\",\"aggregateId\":\"o-7\"");
        preview("of a text that no error has", "\"error\":\"none\"");
        preview("of all", "");
        preview("of a retry of one handler in a hundred", "\"handler\":\"Mailer7\"", "\"kind\":\"retry\",");
        preview("of a retry of all", "", "\"kind\":\"retry\",");
    }

    private void preview(String what, String filter) {
        preview(what, filter, "");
    }

    private void preview(String what, String filter, String kind) {
        String body = "{" + kind + "\"filter\":{" + filter + "}" + (filter.isEmpty() ? ",\"all\":true" : "") + "}";
        time("operations/preview " + what, () -> admin.post("operations/preview", body), 200);
    }

    private JsonObject get(String name, String path) {
        return get(name, path, 200);
    }

    private JsonObject get(String name, String path, int status) {
        return time(name, () -> admin.get(path), status);
    }

    /** One request. */
    private interface Request {
        Answer send();
    }

    private static JsonObject time(String name, Request request, int status) {
        double[] millis = new double[TIMES];
        Answer answer = null;
        for (int i = 0; i < TIMES; i++) {
            long startedAt = System.nanoTime();
            answer = request.send();
            millis[i] = (System.nanoTime() - startedAt) / 1e6;
            assertThat(answer.status()).as(name + "\n" + answer.body()).isEqualTo(status);
        }
        Arrays.sort(millis);
        System.out.printf("volume: %s: %.1f ms, at most %.1f ms%n", name, millis[TIMES / 2], millis[TIMES - 1]);
        return answer.json();
    }

    /** In tables that are filled there is one. */
    private static Optional<String> first(JsonObject page, String list, String field) {
        Optional<String> found = page.getJsonArray(list).stream()
                .map(JsonValue::asJsonObject)
                .map(item -> item.getString(field))
                .findFirst();
        assertThat(found.isPresent() || !IS_FILLED).as(list + " is empty").isTrue();
        return found;
    }

    private static Instant before(Instant now, int hours) {
        return now.minus(Duration.ofHours(hours));
    }

    private static RealDatabase database() {
        String directory = System.getProperty("volume.directory");
        ServerOptions options = directory == null ? ServerOptions.temporary() : ServerOptions.in(Path.of(directory));
        ServerOptions large = options.with("--innodb-buffer-pool-size=1G").with("--innodb-log-file-size=512M");
        String kind = System.getProperty("it.database");
        return switch (kind) {
            case "mysql" -> RealMySql.start(large);
            case "mariadb" -> RealMariaDb.start(large);
            case "postgresql" ->
                RealPostgres.start(options.with("-c")
                        .with("shared_buffers=512MB")
                        .with("-c")
                        .with("max_wal_size=2GB"));
            default -> throw new IllegalArgumentException("it.database: no volume in " + kind);
        };
    }
}

package io.outboxed.shop;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.admin.BulkRequest.Kind;
import io.outboxed.shop.AdminClient.Answer;
import java.util.Locale;

/** A replay, discard or retry of many, at a rate that leaves time to kill the server in between. */
record BulkChange(Kind kind, AdminClient admin, String id) {
    /** Few, so that each of three operations is still at work when all have been seen to begin. */
    private static final int PER_SECOND = 5;

    /** @param condition {@code since} or {@code until} */
    static BulkChange start(Kind kind, AdminClient admin, String condition, String time) {
        return start(
                kind, admin, "{\"filter\":{\"handler\":\"Mailer.confirm\",\"" + condition + "\":\"" + time + "\"}}");
    }

    /** @param expected how many deliveries of the handler wait for their next attempt, sooner or later */
    static BulkChange retry(AdminClient admin, String handler, int expected) {
        String selection = "{\"kind\":\"retry\",\"filter\":{\"handler\":\"" + handler + "\"}}";
        Await.until(
                expected + " deliveries of " + handler + " wait",
                60,
                () -> preview(admin, selection).json().getInt("matched") == expected,
                () -> preview(admin, selection).body());
        return start(Kind.RETRY, admin, selection);
    }

    private static Answer preview(AdminClient admin, String selection) {
        return admin.post("operations/preview", selection);
    }

    private static BulkChange start(Kind kind, AdminClient admin, String selection) {
        Answer preview = preview(admin, selection);
        String request = "{\"filter\":" + preview.json().getJsonObject("filter") + ",\"perSecond\":" + PER_SECOND
                + (kind == Kind.REPLAY ? ",\"allowReordering\":true" : "") + ",\"reason\":\"mail is back\"}";
        Answer started = admin.post("operations/" + word(kind), request, "If-Match", preview.header("ETag"));
        assertThat(started.status()).as(started.body()).isEqualTo(200);
        return new BulkChange(kind, admin, started.json().getString("id"));
    }

    /** As another server answers. */
    BulkChange on(AdminClient other) {
        return new BulkChange(kind, other, id);
    }

    void awaitSomeChanges() {
        Await.until("the " + word(kind) + " is on its way", 60, () -> changed() >= PER_SECOND, this::changed);
    }

    void awaitComplete() {
        Await.until(
                "the " + word(kind) + " is complete",
                60,
                () -> answer().body().contains("\"state\":\"COMPLETE\""),
                () -> answer().body());
    }

    private static String word(Kind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    int changed() {
        return answer().json().getInt("changed");
    }

    private Answer answer() {
        return admin.get("operations/" + id);
    }
}

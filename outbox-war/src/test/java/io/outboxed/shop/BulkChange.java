package io.outboxed.shop;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.admin.BulkRequest.Kind;
import io.outboxed.shop.AdminClient.Answer;
import java.util.Locale;

/** A replay or discard of many dead letters, at a rate that leaves time to kill the server in between. */
record BulkChange(Kind kind, AdminClient admin, String id) {
    /** Few, so that each of two operations is still at work when both have been seen to begin. */
    private static final int PER_SECOND = 5;

    /** @param condition {@code since} or {@code until} */
    static BulkChange start(Kind kind, AdminClient admin, String condition, String time) {
        Answer preview = admin.post(
                "operations/preview",
                "{\"filter\":{\"handler\":\"Mailer.confirm\",\"" + condition + "\":\"" + time + "\"}}");
        String request = "{\"filter\":" + preview.json().getJsonObject("filter") + ",\"perSecond\":" + PER_SECOND
                + (kind == Kind.REPLAY ? ",\"acceptOrder\":true" : "") + ",\"reason\":\"mail is back\"}";
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

    private int changed() {
        return answer().json().getInt("changed");
    }

    private Answer answer() {
        return admin.get("operations/" + id);
    }
}

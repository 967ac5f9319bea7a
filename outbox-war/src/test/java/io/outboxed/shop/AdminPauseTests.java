package io.outboxed.shop;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Pauses of a handler, of a type, of everything. */
interface AdminPauseTests extends AdminFixture {

    @Test
    default void a_paused_handler_gets_nothing_until_it_is_resumed() {
        String target = "{\"kind\":\"handler\",\"name\":\"Mailer.confirm\",\"reason\":\"mail server is replaced\"}";
        nothingIsMailedUntilResumed("pauses", target, target);
    }

    @Test
    default void a_paused_type_is_delivered_to_nobody_until_it_is_resumed() {
        String target = "{\"kind\":\"type\",\"name\":\"order.placed\",\"reason\":\"mail server is replaced\"}";
        nothingIsMailedUntilResumed("pauses", target, target);
    }

    @Test
    default void everything_is_paused_by_an_administrator_and_resumed_by_an_operator() {
        String reason = "\"reason\":\"mail server is replaced\"}";
        assertThat(operator().post("pauses/everything", "{" + reason).status()).isEqualTo(403);
        nothingIsMailedUntilResumed("pauses/everything", "{" + reason, "{\"kind\":\"all\"," + reason);
    }

    @Test
    default void a_pause_is_ended_only_if_nobody_has_changed_the_pauses_since_they_were_read() {
        String target = "{\"kind\":\"handler\",\"name\":\"Mailer.confirm\",\"reason\":\"mail server is replaced\"}";
        assertThat(operator().post("pauses", target, "If-Match", "*").status()).isEqualTo(400);
        assertThat(operator().post("pauses", target).status()).isEqualTo(200);
        String seen = operator().get("pauses").header("ETag");
        try {
            assertThat(operator()
                            .post("pauses/resume", target, "If-Match", "\"stale\"")
                            .status())
                    .isEqualTo(412);
        } finally {
            assertThat(operator()
                            .post("pauses/resume", target, "If-Match", seen)
                            .status())
                    .isEqualTo(200);
        }
    }

    private void nothingIsMailedUntilResumed(String address, String pause, String resume) {
        AdminClient admin = as("admin");
        Await.until("no pause is left", 20, () -> isNoticed(false));
        long waiting;
        assertThat(admin.post(address, pause).status()).isEqualTo(200);
        try {
            assertThat(admin.post(address, pause).status()).as("a second time").isEqualTo(409);
            assertThat(operator().get("pauses").body()).contains("mail server is replaced");
            Await.until("the node notices the pause", 20, () -> isNoticed(true));
            long order = shop().order("tea");
            Await.until("the order waits for the pause", 20, () -> isPaused(order));
            waiting = order;
            assertThat(shop().mails(waiting)).isEmpty();
        } finally {
            assertThat(operator().post("pauses/resume", resume).status()).isEqualTo(200);
        }
        assertThat(operator().post("pauses/resume", resume).status())
                .as("a second time")
                .isEqualTo(409);
        Await.until("the mail is sent", 20, () -> !shop().mails(waiting).isEmpty());
    }

    private static boolean isNoticed(boolean pause) {
        return ServerExtension.health().all().contains("\"paused\":\"nothing\"") != pause;
    }

    private boolean isPaused(long order) {
        return operator().get("aggregate?type=order&id=" + order).body().contains("\"cause\":\"PAUSE\"");
    }
}

package io.outboxed.internal.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.util.Throwables.getStackTrace;

import io.outboxed.DeadLetter;
import io.outboxed.OutboxException;
import io.outboxed.admin.BulkRequest.Kind;
import io.outboxed.admin.Pause;
import io.outboxed.admin.PauseTarget;
import io.outboxed.admin.StoredEvent.MessageState;
import io.outboxed.internal.metrics.CapturedLog;
import io.outboxed.internal.store.MessageBody;
import io.outboxed.internal.store.MessageHead;
import io.outboxed.internal.store.Resolution;
import io.outboxed.internal.store.RetiredDelivery;
import io.outboxed.internal.store.cluster.NodeHeartbeat;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What applications, operators and other nodes have stored must neither forge lines nor control a terminal. */
class StoredTextsInLogTest {
    private static final String FORGED = "4711\nforged\r\u0085\u2028x\u2029\u001b[31m\u009b31m\u202e";
    private static final String HARMLESS = "4711 forged   x  [31m 31m ";
    private static final String CONTROLS = "(?s).*[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}].*";

    private static final UUID ID = new UUID(1, 1);
    private static final MessageBody BODY =
            new MessageBody(1, ID, FORGED, FORGED, Instant.EPOCH, Duration.ZERO, "{}", "{}", null);
    private static final MessageHead HEAD =
            new MessageHead(1, ID, 0, 0, FORGED, FORGED, MessageState.READY, 0, 0, 2, 0, false, null, BODY);
    private static final DeadLetter LETTER =
            new DeadLetter(ID, FORGED, FORGED, FORGED, FORGED, FORGED, 1, FORGED, Instant.EPOCH, Instant.EPOCH, false);

    @Test
    void a_stored_text_begins_no_line_of_its_own() {
        try (CapturedLog log = new CapturedLog()) {
            OutboxLog.discarded(LETTER);
            OutboxLog.deadLetterLocked(LETTER);
            OutboxLog.dropped(new RetiredDelivery(ID, 1, null, FORGED, FORGED, FORGED, FORGED));
            OutboxLog.edited(LETTER, ID, FORGED);
            OutboxLog.deadLetter(Runnable::run, HEAD, BODY, new Resolution.Dead(FORGED, FORGED, 1, FORGED));
            OutboxLog.deliveryFailed(
                    Runnable::run, HEAD, BODY, 1, new Resolution.Retry(FORGED, FORGED, 1, FORGED, 1), null);
            OutboxLog.outOfOrder(HEAD);
            OutboxLog.deadLetterObserverFailed(LETTER, null);
            OutboxLog.handlerMissing(FORGED, FORGED);
            OutboxLog.ownHandlerRetired(FORGED, Set.of(FORGED));
            OutboxLog.retiredHandlerRemoved(FORGED, FORGED);
            OutboxLog.paused(new Pause(PauseTarget.handler(FORGED), Instant.EPOCH, FORGED, FORGED));
            OutboxLog.resumed(PauseTarget.type(FORGED));
            OutboxLog.bulkStarted(ID, Kind.REPLAY, 1, FORGED);
            OutboxLog.bulkCancelled(ID, Kind.RETRY, 1, FORGED);
            OutboxLog.contentRead(FORGED, ID);
            OutboxLog.joined("1", FORGED, 1);
            OutboxLog.nodeDied(new NodeHeartbeat("1", FORGED, 1, 1));
            OutboxLog.partitionChange(FORGED);
            OutboxLog.kafkaLimitNotChecked("orders", FORGED);

            assertThat(log.lines)
                    .hasSize(20)
                    .allSatisfy(line -> assertThat(line).contains(HARMLESS).doesNotMatch(CONTROLS));
        }
    }

    @Test
    void no_exception_and_none_of_its_causes_begins_a_line_of_its_own() {
        IllegalStateException failure = new IllegalStateException(FORGED, new SQLException(FORGED));
        failure.addSuppressed(new IOException(FORGED));

        String printed = logged(failure);

        assertThat(printed.lines())
                .hasSizeGreaterThan(6)
                .contains(
                        "java.lang.IllegalStateException: " + HARMLESS,
                        "Caused by: java.sql.SQLException: " + HARMLESS,
                        "\tSuppressed: java.io.IOException: " + HARMLESS)
                .allSatisfy(line -> assertThat(line)
                        .matches("\t.*|(Caused by: )?java.*")
                        .satisfies(text -> assertThat(text.replace("\t", "")).doesNotMatch(CONTROLS)));
    }

    @Test
    void an_exception_whose_words_are_harmless_is_logged_as_it_is() {
        IllegalStateException failure = new IllegalStateException("refused", new SQLException("down"));
        IllegalStateException circle = new IllegalStateException("in a test");
        circle.initCause(new IllegalStateException(circle));

        assertThat(FailureText.printable(failure)).isSameAs(failure);
        assertThat(FailureText.printable(circle)).isSameAs(circle);
    }

    @Test
    void a_chain_of_causes_that_is_too_long_to_be_checked_is_cut() {
        Throwable failure = new SQLException(FORGED);
        for (int i = 0; i < 100; i++) {
            failure = new IllegalStateException("cause " + i, failure);
        }

        assertThat(logged(failure)).contains("cause 99", "cause 50").doesNotContain("forged");
    }

    private static String logged(Throwable failure) {
        try (CapturedLog log = new CapturedLog()) {
            OutboxLog.deliveryFailed(
                    Runnable::run, HEAD, BODY, 1, new Resolution.Retry("mail", "mail", 1, "failed", 1), failure);

            return getStackTrace(log.thrown.get(0));
        }
    }

    @Test
    void a_report_has_the_lines_that_it_is_made_of_and_no_others() {
        try (CapturedLog log = new CapturedLog()) {
            OutboxLog.kafkaNotReady("broker", Set.of(FORGED));
            OutboxLog.jmsNotReady(Set.of(FORGED));
            OutboxLog.startupReport("\n  database  h2\u0085\u2028\u001b[31m");
            OutboxLog.deploymentRefused(
                    new OutboxException("OUTBOX-0311", "two problems:\n  one\u2028\u001b[31m\n  two"));

            assertThat(log.lines.get(0).lines()).hasSize(2).last().isEqualTo("  " + HARMLESS);
            assertThat(log.lines.get(1).lines()).hasSize(2).last().isEqualTo("  " + HARMLESS);
            assertThat(log.lines.get(2).lines()).hasSize(2).last().isEqualTo("  database  h2   [31m");
            assertThat(log.lines.get(3).lines()).hasSize(3);
            assertThat(log.lines)
                    .allSatisfy(line -> assertThat(line.replace("\n", "")).doesNotMatch(CONTROLS));
        }
    }
}

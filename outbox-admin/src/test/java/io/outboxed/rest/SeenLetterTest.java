package io.outboxed.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.outboxed.DeadLetter;
import io.outboxed.OutboxAdmin;
import io.outboxed.admin.Attribution;
import io.outboxed.admin.EditedReplay;
import io.outboxed.admin.ReplayResult;
import io.outboxed.admin.StoredEvent;
import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.store.HandlerNames;
import io.outboxed.rest.problem.Problem;
import io.outboxed.rest.problem.ProblemException;
import io.outboxed.rest.problem.ProblemType;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which dead letter is changed for an operator who has read one, if it dies again or is gone before the change. */
class SeenLetterTest {
    private static final UUID ID = new UUID(7, 7);
    private static final Attribution ALICE = Attribution.of("alice", "mail is back");
    private static final DeadLetter SEEN = new DeadLetter(
            ID, "order.placed", "order", "1", "mail", "mail", 5, "boom", Instant.EPOCH, Instant.EPOCH, false);
    private static final StoredEvent EVENT = new StoredEvent(ID, List.of(), List.of(), List.of(SEEN), List.of());
    private static final String QUARTER = "mailmailmailmailmailmailmailmail";
    private static final String LONGER_THAN_ANY = QUARTER + QUARTER + QUARTER + QUARTER + "x";
    private static final String TAG = ETag.of(EVENT).tag();

    private final List<Object> asked = new ArrayList<>();
    private final MessageResource messages = new MessageResource();
    private final EditResource edits = new EditResource();
    private boolean isThere;

    @BeforeEach
    void logIn() {
        messages.admin = admin();
        messages.operator = new Operator() {
            @Override
            String name() {
                return "alice";
            }
        };
        edits.admin = messages.admin;
        edits.operator = messages.operator;
        edits.config = OutboxConfig.DEFAULTS;
    }

    /** Remembers for which dead letter each change asks. */
    private OutboxAdmin admin() {
        return (OutboxAdmin) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {OutboxAdmin.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("event")) {
                        return arguments[0].equals(ID) ? Optional.of(EVENT) : Optional.empty();
                    }
                    if (arguments[0] instanceof UUID) {
                        HandlerNames.require((String) arguments[1]);
                    }
                    if (method.getName().equals("heldUpBy")) {
                        return Optional.empty();
                    }
                    asked.add(arguments[0]);
                    ReplayResult result = isThere ? ReplayResult.REPLAYED : ReplayResult.NOT_FOUND;
                    return switch (method.getName()) {
                        case "replay" -> result;
                        case "replayEdited" -> new EditedReplay(result, isThere ? new UUID(8, 8) : null);
                        default -> isThere;
                    };
                });
    }

    @Test
    void only_the_one_that_was_read_is_changed() {
        isThere = true;
        RequestedLetter letter = RequestedLetter.of(messages.admin, ID, "mail", TAG);

        assertThat(letter.replay(true, ALICE)).isEqualTo(ReplayResult.REPLAYED);
        assertThat(letter.replayEdited("{}", true, ALICE).eventId()).isEqualTo(new UUID(8, 8));
        assertThat(letter.discard(ALICE)).isTrue();
        assertThat(asked).containsExactly(SEEN, SEEN, SEEN);
    }

    @Test
    void one_that_died_again_between_the_check_and_the_change_has_changed() {
        for (ThrowingCallable each : changes(TAG, "mail")) {
            assertThat(problem(each)).isEqualTo(ProblemType.CHANGED);
        }
        assertThat(asked).containsExactly(SEEN, SEEN, SEEN);
    }

    @Test
    void one_that_was_not_there_is_not_changed_when_it_comes() {
        isThere = true;
        for (ThrowingCallable each : changes(TAG, "invoice")) {
            assertThat(problem(each)).isEqualTo(ProblemType.NOTHING_TO_CHANGE);
        }
        assertThat(asked).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"mail ", "mail/x", "*", LONGER_THAN_ANY})
    void a_name_that_no_handler_can_have_is_invalid_whatever_was_read(String handler) {
        for (UUID event : List.of(ID, new UUID(9, 9))) {
            List<Problem> answers = new ArrayList<>();
            for (String ifMatch : Arrays.asList(null, TAG, "*", "\"stale\"")) {
                changes(event, ifMatch, handler).forEach(each -> answers.add(answer(each)));
            }
            assertThat(answers)
                    .hasSize(12)
                    .containsOnly(Problem.of(
                            ProblemType.INVALID,
                            "no handler can have this name, expected 1 to 128 letters, digits, '.', '_' or '-';"
                                    + " nothing was changed."));
        }
        assertThat(asked).isEmpty();
    }

    @Test
    void what_waits_for_a_first_handler_has_a_name_that_is_not_there() {
        for (String ifMatch : Arrays.asList(null, TAG)) {
            for (ThrowingCallable each : changes(ifMatch, "?")) {
                assertThat(problem(each)).isEqualTo(ProblemType.NOTHING_TO_CHANGE);
            }
        }
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = "*")
    void whoever_does_not_say_what_they_have_read_changes_whichever_there_is(String ifMatch) {
        for (ThrowingCallable each : changes(ifMatch, "mail")) {
            assertThat(problem(each)).isEqualTo(ProblemType.NOTHING_TO_CHANGE);
        }
        assertThat(asked).containsExactly(ID, ID, ID);
    }

    @Test
    void another_version_changes_nothing() {
        for (ThrowingCallable each : changes("\"stale\"", "mail")) {
            assertThat(problem(each)).isEqualTo(ProblemType.CHANGED);
        }
        assertThat(asked).isEmpty();
    }

    private List<ThrowingCallable> changes(String ifMatch, String handler) {
        return changes(ID, ifMatch, handler);
    }

    private List<ThrowingCallable> changes(UUID event, String ifMatch, String handler) {
        String body = "{\"handler\":\"" + handler + "\",\"reason\":\"sent\"";
        return List.of(
                () -> messages.replay(event, ifMatch, stream(body + "}")),
                () -> messages.discard(event, ifMatch, stream(body + "}")),
                () -> edits.edit(event, ifMatch, stream(body + ",\"payload\":\"{}\"}")));
    }

    private static InputStream stream(String body) {
        return new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8));
    }

    private static ProblemType problem(ThrowingCallable change) {
        return answer(change).type();
    }

    private static Problem answer(ThrowingCallable change) {
        return catchThrowableOfType(ProblemException.class, change).problem();
    }
}

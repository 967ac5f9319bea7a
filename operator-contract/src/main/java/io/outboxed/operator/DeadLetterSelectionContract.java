package io.outboxed.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.DeadLetter;
import io.outboxed.admin.DeadLetterFilter;
import io.outboxed.admin.WaitingFilter;
import io.outboxed.admin.WaitingState;
import io.outboxed.internal.store.ErrorKind;
import io.outboxed.operator.Operator.Preview;
import io.outboxed.operator.Operator.Waiting;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What each condition selects. */
interface DeadLetterSelectionContract extends OperatorFixture {
    /** {@link Tables} lets the first event die at second 1001, each later one a second after it. */
    Instant THIRD = Instant.ofEpochSecond(1003);

    @Test
    default void each_condition_selects_the_same_dead_letters_wherever_it_is_named() throws SQLException {
        UUID mail = tables().dead("order.placed", "1", "mail", "connection refused: mail-1");
        UUID ship = tables().dead("order.shipped", "2", "ship", "no such item, 100% gone");
        UUID cart = tables().dead("cart.filled", "3", "mail", "down");
        tables().run("UPDATE outbox_dead SET aggregate_type = 'cart' WHERE aggregate_id = '3'");
        UUID held = tables().blocked("order.placed", "4", "mail", "down");
        DeadLetterFilter all = DeadLetterFilter.all();

        selects(all, held, cart, ship, mail);
        selects(all.message(ship), ship);
        selects(all.message(UUID.fromString(UNKNOWN)));
        selects(all.handler("mail"), held, cart, mail);
        selects(all.handler("MAIL"));
        selects(all.type("order.placed"), held, mail);
        selects(all.type("order"));
        selects(all.type("order.placed "));
        selects(all.aggregate("cart", null), cart);
        selects(all.aggregate("cart ", null));
        selects(all.aggregate(null, "2 "));
        selects(all.aggregate("order", "4"), held);
        selects(all.aggregate(null, "2"), ship);
        selects(all.error("refused: m"), mail);
        selects(all.error("REFUSED"));
        selects(all.error("%"), ship);
        selects(all.error("_"));
        selects(all.errorKind("down"), held, cart);
        selects(all.errorKind("connection refused: mail-"), mail);
        selects(all.errorKind("connection"));
        selects(all.diedSince(THIRD), held, cart);
        selects(all.diedUntil(THIRD), ship, mail);
        selects(all.diedSince(THIRD).diedUntil(THIRD.plusSeconds(1)), cart);
        selects(all.onlyBlocking(), held);
        selects(all.handler("mail").type("order.placed").error("down"), held);
        selects(all.handler("ship").onlyBlocking());
        assertThat(audit()).as("reading changes nothing").isEmpty();
    }

    /** Texts that begin alike, or contain the kind of another one. */
    List<String> ERRORS = List.of(
            "order 17 rejected",
            "order   18 rejected",
            "order: rejected",
            "order",
            "order \"17\"",
            "orders 17",
            "order17 rejected",
            "order rejected",
            "the order 17",
            "ORDER 17",
            "order.S3Exception: no bucket 7",
            "order.S3Exception",
            "order.S3ExceptionHandler: no bucket 7",
            "order.S3Exception[7]",
            "caused by order.S3Exception: no bucket 7",
            "404: gone",
            "404",
            "it's 5 o'clock",
            "50% [of] all",
            "first line\nof 7",
            "first line\r\nof 8",
            "x".repeat(200) + " 1",
            "x".repeat(200) + " 2",
            "y".repeat(120),
            "\uD83D\uDE00".repeat(200),
            "\uD83D\uDE00 7",
            " 7",
            "   8",
            "caf\u00e9\u00bd: 7",
            "%_\\ 7");

    @Test
    default void a_kind_of_error_selects_exactly_its_own() throws SQLException {
        Map<String, List<UUID>> ofKind = new LinkedHashMap<>();
        for (String error : ERRORS) {
            UUID id = tables().dead("order.placed", "1", "mail", error);
            ofKind.computeIfAbsent(ErrorKind.of(error).text(), kind -> new ArrayList<>())
                    .add(0, id);
        }
        assertThat(ofKind.keySet())
                .contains("order", "orders", "order17 rejected", "order.S3Exception", "404", "first line");
        assertThat(ofKind.get("order")).hasSize(5);
        ofKind.forEach((kind, newestFirst) ->
                selects(DeadLetterFilter.all().errorKind(kind), newestFirst.toArray(UUID[]::new)));
    }

    @Test
    default void a_kind_of_error_selects_what_waits_because_of_it_and_nothing_else() throws SQLException {
        Map<String, List<UUID>> ofKind = new LinkedHashMap<>();
        for (String error : ERRORS) {
            UUID id = tables().waiting("order.placed", "1", "mail");
            tables().run("UPDATE outbox_delivery SET last_error = ? WHERE message_id = ?", error, id);
            ofKind.computeIfAbsent(ErrorKind.of(error).text(), kind -> new ArrayList<>())
                    .add(id);
        }
        UUID withoutError = tables().waiting("order.placed", "2", "mail");
        tables().run("UPDATE outbox_delivery SET last_error = NULL WHERE message_id = ?", withoutError);
        WaitingFilter waiting = WaitingFilter.in(WaitingState.WAITING);

        assertThat(ofKind.get("order")).hasSize(5);
        ofKind.forEach((kind, oldestFirst) -> lists(waiting.errorKind(kind), oldestFirst.toArray(UUID[]::new)));
    }

    private void selects(DeadLetterFilter filter, UUID... newestFirst) {
        List<DeadLetter> found = operator().deadLetters(filter, null, PAGE).rows();
        long inPlace = found.stream().filter(DeadLetter::blocking).count();
        assertThat(found)
                .as(filter.toString())
                .extracting(DeadLetter::messageId)
                .containsExactlyElementsOf(Arrays.asList(newestFirst));
        assertThat(operator().preview(filter)).as(filter.toString()).isEqualTo(new Preview(found.size(), inPlace));
    }

    @Test
    default void a_dead_letter_is_listed_as_it_is_stored() throws SQLException {
        UUID dead = tables().dead("order.placed", "1", "mail", "down:\n\"caf\u00e9\"");

        DeadLetter listed = operator()
                .deadLetters(DeadLetterFilter.all(), null, PAGE)
                .rows()
                .get(0);
        assertThat(listed)
                .isEqualTo(new DeadLetter(
                        dead,
                        "order.placed",
                        "order",
                        "1",
                        "mail",
                        "group of mail",
                        5,
                        "down:\n\"caf\u00e9\"",
                        listed.createdAt(),
                        Instant.ofEpochSecond(1001),
                        false));
        assertThat(listed.createdAt()).isAfter(Instant.EPOCH);
    }

    @Test
    default void what_waits_is_listed_by_state_and_condition() throws SQLException {
        UUID ready = tables().ready("order.placed", "1");
        UUID parked = tables().parked("order.shipped", "2");
        UUID mail = tables().waiting("order.placed", "3", "mail");
        UUID ship = tables().waiting("order.shipped", "4", "ship");
        UUID held = tables().blocked("order.placed", "5", "mail", "down");

        lists(WaitingFilter.in(WaitingState.READY), ready);
        lists(WaitingFilter.in(WaitingState.PARKED), parked);
        lists(WaitingFilter.in(WaitingState.PARKED).type("order.placed"));
        lists(WaitingFilter.in(WaitingState.BLOCKED), held);
        WaitingFilter waiting = WaitingFilter.in(WaitingState.WAITING);
        lists(waiting, mail, ship);
        lists(waiting.handler("mail"), mail);
        lists(waiting.type("order.shipped"), ship);
        lists(waiting.type("order.shipped "));
        lists(waiting.aggregate("order ", null));
        lists(waiting.aggregate("order", "3 "));
        lists(waiting.aggregate("order", "3"), mail);
        lists(waiting.aggregate("cart", null));
        lists(waiting.error("unknown to"), mail, ship);
        lists(waiting.error("%"));
        lists(waiting.errorKind("unknown to the node"), mail, ship);
        lists(waiting.errorKind("unknown to the node").handler("mail").error("to the"), mail);
        lists(waiting.errorKind("unknown"));
        lists(WaitingFilter.in(WaitingState.BLOCKED).errorKind("unknown to the node"), held);
        assertThat(operator().waiting(waiting.handler("mail"), null, PAGE).rows())
                .containsExactly(new Waiting(
                        mail,
                        "order.placed",
                        "order",
                        "3",
                        "mail",
                        2,
                        Instant.EPOCH.plusNanos(1000),
                        "unknown to the node"));
    }

    private void lists(WaitingFilter filter, UUID... oldestFirst) {
        assertThat(operator().waiting(filter, null, PAGE).rows())
                .as(filter.toString())
                .extracting(Waiting::messageId)
                .containsExactlyElementsOf(Arrays.asList(oldestFirst));
    }
}

package io.outboxed.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.admin.DeadLetterFilter;
import io.outboxed.admin.FailureGroup;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What dead letters have in common. {@link Tables} lets each event die a second after the one before it. */
interface FailureGroupsContract extends OperatorFixture {

    @Test
    default void dead_letters_are_grouped_by_handler_type_and_kind_of_error_the_largest_group_first()
            throws SQLException {
        UUID withoutError = tables().dead("order.shipped", "1", "mail", "order 17 rejected");
        tables().dead("order.placed", "2", "mail", "order 18 rejected");
        tables().dead("order.placed", "3", "ship", "order 19 rejected");
        UUID laterOfShip = tables().dead("order.placed", "4", "ship", "order 20 rejected");
        UUID refused = tables().blocked("order.placed", "5", "mail", "java.net.ConnectException: refused by mail-1");
        tables().run("UPDATE outbox_dead SET error = NULL WHERE message_id = ?", withoutError);
        tables().dead("order.placed", "6", "mail", "order 21 rejected");
        UUID latest = tables().dead("order.placed", "7", "mail", "order 22 rejected");
        UUID gone = tables().dead("order.placed", "8", "ship", "gone");

        List<FailureGroup> found = operator().failures(DeadLetterFilter.all());
        assertThat(found)
                .containsExactlyInAnyOrder(
                        new FailureGroup("mail", "order.placed", "order", 3, at(1002), at(1007), latest),
                        new FailureGroup("ship", "order.placed", "order", 2, at(1003), at(1004), laterOfShip),
                        new FailureGroup(
                                "mail", "order.placed", "java.net.ConnectException", 1, at(1005), at(1005), refused),
                        new FailureGroup("ship", "order.placed", "gone", 1, at(1008), at(1008), gone),
                        new FailureGroup("mail", "order.shipped", "", 1, at(1001), at(1001), withoutError));
        assertThat(found).extracting(FailureGroup::count).containsExactly(3L, 2L, 1L, 1L, 1L);
        assertThat(audit()).as("reading changes nothing").isEmpty();
    }

    private static Instant at(int second) {
        return Instant.ofEpochSecond(second);
    }

    @Test
    default void each_group_is_selected_by_its_handler_type_and_kind_of_error() throws SQLException {
        for (String error : DeadLetterSelectionContract.ERRORS) {
            tables().dead("order.placed", "1", "mail", error);
            tables().dead("order.shipped", "1", "ship", error);
        }

        List<FailureGroup> groups = operator().failures(DeadLetterFilter.all());
        assertThat(groups).hasSizeGreaterThan(20).allSatisfy(group -> {
            DeadLetterFilter filter = DeadLetterFilter.all()
                    .handler(group.handler())
                    .type(group.type())
                    .errorKind(group.error());
            assertThat(operator().failures(filter)).containsExactly(group);
            assertThat(operator().preview(filter).matched()).isEqualTo(group.count());
        });
    }

    @Test
    default void each_condition_selects_what_is_grouped() throws SQLException {
        UUID mail = tables().dead("order.placed", "1", "mail", "connection refused: mail-1");
        UUID ship = tables().dead("order.shipped", "2", "ship", "no such item, 100% gone");
        UUID held = tables().blocked("order.placed", "3", "mail", "down");
        DeadLetterFilter all = DeadLetterFilter.all();

        groups(all, held, ship, mail);
        groups(all.message(ship), ship);
        groups(all.message(UUID.fromString(UNKNOWN)));
        groups(all.handler("mail"), held, mail);
        groups(all.type("order.shipped"), ship);
        groups(all.aggregate("order", "3"), held);
        groups(all.aggregate("cart", null));
        groups(all.error("%"), ship);
        groups(all.errorKind("down"), held);
        groups(all.diedSince(at(1002)), held, ship);
        groups(all.diedUntil(at(1002)), mail);
        groups(all.onlyBlocking(), held);
        groups(all.handler("mail").onlyBlocking().error("refused"));
    }

    private void groups(DeadLetterFilter filter, UUID... newestFirst) {
        assertThat(operator().failures(filter))
                .as(filter.toString())
                .extracting(FailureGroup::sample)
                .containsExactly(newestFirst);
    }
}

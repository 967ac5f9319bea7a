package io.outboxed.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.admin.AuditEntry;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/** An operator, the tables, and nodes that work only when they are told to. */
interface OperatorFixture {
    String REASON = "the mail server is back";
    String UNKNOWN = "018f3c1e-7b1a-7000-8000-00000000abcd";
    int PAGE = 200;

    Operator operator();

    Tables tables();

    /** As much as the nodes do in one second. */
    void nodesWorkOnce();

    /** Until no bulk operation is running. */
    void nodesWork();

    /** A row of the audit. */
    record Audited(String action, UUID messageId, long count) {}

    /** The audit, the most recent row first: what the operator is shown is what the table has. */
    default List<Audited> audit() throws SQLException {
        List<AuditEntry> shown = operator().audit(null, PAGE).rows();
        assertThat(tables().texts("SELECT CONCAT(changed_by, ' ', changed_via, ' ', reason, ' ', action, ' ', target,"
                        + " ' ', changes) FROM outbox_audit"))
                .containsExactlyInAnyOrderElementsOf(
                        shown.stream().map(OperatorFixture::text).toList());
        assertThat(shown).allSatisfy(entry -> {
            assertThat(entry.attribution().who()).isEqualTo(operator().who());
            assertThat(entry.attribution().via()).isEqualTo(operator().via());
            assertThat(entry.attribution().why()).isEqualTo(REASON);
        });
        return shown.stream()
                .map(entry -> new Audited(entry.action(), entry.messageId(), entry.count()))
                .toList();
    }

    private static String text(AuditEntry entry) {
        return String.join(
                " ",
                entry.attribution().who(),
                entry.attribution().via(),
                entry.attribution().why(),
                entry.action(),
                entry.target(),
                Long.toString(entry.count()));
    }
}

package io.outboxed.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.admin.PauseTarget;
import io.outboxed.admin.PauseTarget.Kind;
import io.outboxed.operator.Operator.Paused;
import java.sql.SQLException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Pauses of a handler, of a type, of everything. */
interface PausesContract extends OperatorFixture {

    @ParameterizedTest
    @EnumSource
    default void a_pause_begins_once_and_ends_once(Kind kind) throws SQLException {
        PauseTarget other = kind == Kind.ALL ? PauseTarget.type("order.shipped") : PauseTarget.everything();
        PauseTarget target = kind == Kind.ALL ? PauseTarget.everything() : new PauseTarget(kind, "order.placed");

        assertThat(operator().resume(kind, target.name(), REASON)).isEqualTo(Outcome.NOTHING_TO_CHANGE);
        assertThat(operator().pause(kind, target.name(), REASON)).isEqualTo(Outcome.DONE);
        assertThat(operator().pause(kind, target.name(), REASON)).isEqualTo(Outcome.NOTHING_TO_CHANGE);
        assertThat(tables().count("pause")).isOne();
        assertThat(operator().status().pauses())
                .containsExactly(new Paused(target, operator().who(), REASON));
        assertThat(operator().resume(other.kind(), other.name(), REASON)).isEqualTo(Outcome.NOTHING_TO_CHANGE);
        assertThat(tables().count("pause")).isOne();
        assertThat(operator().resume(kind, target.name(), REASON)).isEqualTo(Outcome.DONE);
        assertThat(operator().resume(kind, target.name(), REASON)).isEqualTo(Outcome.NOTHING_TO_CHANGE);
        assertThat(tables().count("pause")).isZero();
        assertThat(operator().status().pauses()).isEmpty();
        assertThat(audit()).containsExactlyInAnyOrder(new Audited("pause", null, 1), new Audited("resume", null, 1));
        assertThat(tables().texts("SELECT target FROM outbox_audit")).containsOnly(target.toString());
    }
}

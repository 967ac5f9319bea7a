package io.outboxed.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.OutboxAdmin;
import io.outboxed.admin.Attribution;
import io.outboxed.admin.RegisteredHandler.Drop;
import io.outboxed.admin.RegisteredHandler.DropPreview;
import io.outboxed.admin.RegisteredHandler.DropResult;
import io.outboxed.admin.RegisteredHandler.Verdict;
import io.outboxed.admin.WaitingItem;
import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Jdbc;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The Java API on one database. */
abstract class JavaApiContract extends OperatorContract {
    private DeployedAdmin deployed;

    abstract String url();

    abstract String user();

    abstract String password();

    @Override
    protected final ConnectionSource source() {
        return () -> DriverManager.getConnection(url(), user(), password());
    }

    @BeforeEach
    final void deploy() {
        deployed = DeployedAdmin.on(source());
    }

    @AfterEach
    final void undeploy() {
        deployed.close();
    }

    @Override
    public final Operator operator() {
        return deployed.operator();
    }

    /** The answers of the command line and of the admin API do without some of it. */
    @Test
    void a_drop_says_what_it_does_and_whether_it_has_to_be_called_again() throws SQLException {
        OutboxAdmin admin = ((JavaOperator) operator()).admin();
        Attribution alice = Attribution.of("alice", REASON);
        tables().handler("order.placed", "old", false);
        tables().handler("order.shipped", "old", true);
        tables().handler("order.cancelled", "old", false);
        UUID oldest = tables().waiting("order.placed", "1", "old");
        UUID newer = tables().waiting("order.placed", "2", "old");

        DropPreview preview = admin.previewDrop(Drop.retiring("old", "order.placed"));
        assertThat(preview.retiring()).containsExactly("order.placed");
        assertThat(preview.retired()).containsExactly("order.shipped");
        assertThat(preview.active()).containsExactly("order.cancelled");
        assertThat(preview.oldest()).extracting(WaitingItem::messageId).containsExactly(oldest, newer);
        assertThat(admin.dropDeliveries(Drop.retiring("old", "order.placed"), 5, alice))
                .as("nodes may not have noticed that it is retired")
                .isEqualTo(new DropResult(Verdict.ACCEPTED, List.of("order.placed"), 2, 0, false));
        assertThat(admin.dropDeliveries(Drop.retiring("old", "order.placed"), 5, alice))
                .as("it was retired a moment ago")
                .isEqualTo(new DropResult(Verdict.ACCEPTED, List.of(), 0, 0, false));
        tables().run("UPDATE outbox_audit SET changed_at = changed_at - 10000000");
        tables().waiting("order.placed", "3", "old");
        tables().waiting("order.placed", "4", "old");
        assertThat(admin.dropDeliveries(Drop.retiring("old", "order.placed"), 1, alice))
                .as("more may wait")
                .isEqualTo(new DropResult(Verdict.ACCEPTED, List.of(), 1, 0, false));
        try (Connection delivery = source().open()) {
            delivery.setAutoCommit(false);
            assertThat(new Jdbc(delivery, dialect()).exists("SELECT seq FROM outbox_message FOR UPDATE"))
                    .isTrue();
            assertThat(admin.dropDeliveries(Drop.of("old"), 5, alice))
                    .as("one is in use")
                    .isEqualTo(new DropResult(Verdict.ACCEPTED, List.of(), 0, 1, false));
            delivery.rollback();
        }
        assertThat(admin.dropDeliveries(Drop.of("old"), 5, alice))
                .isEqualTo(new DropResult(Verdict.ACCEPTED, List.of(), 1, 0, true));
    }
}

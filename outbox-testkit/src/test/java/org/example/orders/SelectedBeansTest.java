package org.example.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.Outbox;
import io.outboxed.testkit.OutboxTest;
import io.outboxed.testkit.OutboxTester;
import jakarta.annotation.Resource;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Some beans only, with a configuration of their own. One instance for all tests is created before JUnit's callbacks. */
@OutboxTest(
        value = {Orders.class, Mailer.class},
        settings = {"outbox.retry.max-attempts=1", "outbox.table-prefix=shop_"})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SelectedBeansTest {

    @Resource
    DataSource dataSource;

    @BeforeEach
    void no_mail_has_been_sent(Mailer mailer) {
        mailer.forget();
    }

    @Test
    void only_these_beans_exist(Orders orders, Mailer mailer, OutboxTester outbox) {
        orders.place("o-1", 1);
        outbox.drain();
        assertThat(outbox.calls()).isEmpty();
        assertThat(outbox.published(OrderPlaced.class)).hasSize(1);
        assertThat(mailer.sent()).isEmpty();
    }

    @Test
    void redelivery_can_not_be_verified_without_the_handler_of_an_event(
            Orders orders, OutboxTester outbox, Outbox events) {
        assertThatThrownBy(() -> outbox.verifyRedelivery(
                        () -> outbox.inTransaction(() -> {
                            events.publish(new OrderShipped("o-1"));
                            events.publish(new OrderPlaced("o-2", 1));
                        }),
                        () -> "nothing"))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("add the handler's class to @OutboxTest")
                .hasMessageContaining("order.placed");
    }

    @Test
    void the_settings_of_the_test_apply(OutboxTester outbox, Outbox events) {
        outbox.failNext("Mailer.confirm", 1);
        outbox.inTransaction(() -> events.publish(new OrderShipped("o-1")));
        outbox.drain();
        assertThat(outbox.deadLetters()).hasSize(1);
    }

    @Test
    void events_pass_through_tables_with_another_prefix(OutboxTester outbox, Outbox events, Mailer mailer)
            throws SQLException {
        outbox.inTransaction(() -> {
            events.publish(new OrderShipped("o-1"));
            events.publish(new OrderShipped("o-2"));
        });
        assertThat(rows("shop_message")).isEqualTo(2);

        outbox.drain();
        assertThat(mailer.sent()).containsExactlyInAnyOrder("o-1", "o-2");
        assertThat(rows("shop_message")).isZero();
        assertThat(rows("shop_history")).isEqualTo(2);
    }

    private int rows(String table) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT COUNT(*) FROM " + table)) {
            row.next();
            return row.getInt(1);
        }
    }
}

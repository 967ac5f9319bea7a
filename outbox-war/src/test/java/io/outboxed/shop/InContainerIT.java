package io.outboxed.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.DeadLetters;
import io.outboxed.OutboxException;
import io.outboxed.admin.DeadLetterFilter;
import io.outboxed.shop.Walks.Step;
import io.outboxed.shop.orders.Checkout;
import io.outboxed.shop.orders.NewOrder;
import io.outboxed.shop.orders.OrderPlaced;
import io.outboxed.shop.orders.SoldOutException;
import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.inject.Inject;
import jakarta.transaction.UserTransaction;
import java.net.URISyntaxException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The library as an application sees it, on a real server with its transactions, session beans and fault tolerance. */
@ExtendWith({ServerExtension.class, ArquillianExtension.class})
class InContainerIT {

    @Deployment
    static WebArchive war() throws URISyntaxException {
        return WarUnderTest.withAssertions()
                .addClasses(InContainerIT.class, Await.class)
                .addClasses(Walks.class, Walks.Step.class, Walkers.class, Tries.class, Tries.Wanted.class);
    }

    @Inject
    Checkout checkout;

    @Inject
    Walks walks;

    @Inject
    Walkers walkers;

    @Inject
    Tries tries;

    @Inject
    DeadLetters deadLetters;

    @Resource(lookup = "java:app/jdbc/outbox")
    DataSource dataSource;

    @Resource(lookup = "java:comp/UserTransaction")
    UserTransaction transaction;

    @Resource(lookup = "java:comp/DefaultManagedExecutorService")
    ManagedExecutorService executor;

    @Test
    void a_business_method_that_fails_leaves_neither_row_nor_event() throws SQLException {
        awaitQuiet();
        long orders = count("shop_order");

        assertThatThrownBy(() -> checkout.buy(new NewOrder("ada", "soldout", 1)))
                .isInstanceOf(SoldOutException.class);

        assertThat(count("shop_order")).isEqualTo(orders);
        assertThat(count("outbox_message")).isZero();
    }

    @Test
    void an_event_exists_once_its_transaction_has_committed() throws Exception {
        transaction.begin();
        walkers.step("committed", 1);
        transaction.commit();

        transaction.begin();
        walkers.step("rolled back", 1);
        transaction.rollback();

        awaitSteps("committed", 1);
        awaitQuiet();
        assertThat(walks.stepsOf("rolled back")).isEmpty();
    }

    @Test
    void a_transaction_inside_a_suspended_one_keeps_its_event_when_the_outer_one_rolls_back() throws Exception {
        transaction.begin();
        walks.byHand(new Step("outer", 1));
        walks.inNewTransaction(new Step("inner", 1));
        transaction.rollback();

        awaitSteps("inner", 1);
        awaitQuiet();
        assertThat(walks.stepsOf("outer")).isEmpty();
    }

    @Test
    void without_a_transaction_nothing_is_stored_and_the_caller_gets_an_error() throws SQLException {
        assertThatThrownBy(() -> walks.withoutTransaction(new Step("unstored", 1)))
                .isInstanceOf(OutboxException.class)
                .hasMessageContaining("transaction");

        awaitQuiet();
        assertThat(walks.stepsOf("unstored")).isEmpty();
    }

    @Test
    void a_session_bean_that_throws_publishes_nothing() throws SQLException {
        assertThatThrownBy(() -> walkers.stepAndFail("stumbler", 1)).hasMessageContaining("stumbles");

        awaitQuiet();
        assertThat(walks.stepsOf("stumbler")).isEmpty();
    }

    @Test
    void every_way_to_publish_keeps_the_order_of_the_calls() throws Exception {
        transaction.begin();
        walks.one("all ways");
        walks.maybe("all ways", true);
        walks.maybe("all ways", false);
        walks.array("all ways");
        walks.payload(new Step("all ways", 5));
        walks.byHand(new Step("all ways", 6));
        walks.together(List.of("all ways"), 7);
        walkers.step("all ways", 8);
        transaction.commit();

        awaitSteps("all ways", 8);
    }

    @Test
    void a_thousand_events_over_fifty_aggregates_arrive_in_order() throws Exception {
        List<String> all = IntStream.range(0, 50).mapToObj(n -> "walker " + n).toList();
        List<Future<?>> writers = new ArrayList<>();
        for (int writer = 0; writer < 5; writer++) {
            List<String> own = all.subList(writer * 10, writer * 10 + 10);
            writers.add(executor.submit(() -> IntStream.rangeClosed(1, 20).forEach(n -> walks.together(own, n))));
        }
        for (Future<?> writer : writers) {
            writer.get();
        }

        for (String walker : all) {
            awaitSteps(walker, 20);
        }
    }

    @Test
    void each_try_of_a_handler_has_a_transaction_of_its_own() throws SQLException {
        tries.want(-1);

        Await.until("the third quick try", () -> tries.calls("quickly", -1) == 3);
        Await.until("the third patient try", 60, () -> tries.calls("patiently", -1) == 3);
        awaitQuiet();
        assertThat(subjects(-1)).containsExactlyInAnyOrder("quickly at call 3", "patiently at call 3");
    }

    @Test
    void a_handler_that_succeeded_is_not_called_again_for_one_that_fails() throws SQLException {
        OrderPlaced poison = checkout.buy(new NewOrder("ada", "poison", 1));
        String aggregate = Long.toString(poison.orderId());

        Await.until(
                "the CDI event",
                60,
                () -> tries.deadLetters().stream()
                        .anyMatch(dead -> dead.aggregateId().equals(aggregate)));

        assertThat(tries.deadLetters())
                .filteredOn(dead -> dead.aggregateId().equals(aggregate))
                .singleElement()
                .satisfies(dead -> {
                    assertThat(dead.handler()).isEqualTo("Mailer.confirm");
                    assertThat(dead.type()).isEqualTo("order.placed");
                    assertThat(dead.aggregateType()).isEqualTo("order");
                    assertThat(dead.attempts()).isEqualTo(5);
                    assertThat(dead.error()).contains("IllegalStateException", "poison");
                });
        assertThat(count("shop_shipment where order_id = " + aggregate)).isEqualTo(1);
        assertThat(tries.calls("placed", poison.orderId())).isEqualTo(1);
        DeadLetterFilter ofTheOrder = DeadLetterFilter.all().aggregate("order", aggregate);
        assertThat(deadLetters.count(ofTheOrder)).isEqualTo(1);
        assertThat(deadLetters.find(ofTheOrder, null, 10).letters()).isSubsetOf(tries.deadLetters());
    }

    /** Each step once and in order; a repetition of the last step is at-least-once delivery and not a reordering. */
    private void awaitSteps(String walker, int last) {
        Await.until(
                walker + " has arrived at step " + last,
                60,
                () -> walks.stepsOf(walker).contains(last),
                () -> walks.stepsOf(walker));
        List<Integer> steps = walks.stepsOf(walker);
        assertThat(steps).isSorted();
        assertThat(new TreeSet<>(steps))
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(1, last).boxed().toList());
    }

    private void awaitQuiet() {
        Await.until("the outbox is empty", 60, () -> count("outbox_message") == 0);
    }

    private long count(String rows) {
        return query("select count(*) from " + rows, row -> row.getLong(1)).get(0);
    }

    private List<String> subjects(long order) {
        return query("select subject from shop_mail where order_id = " + order, row -> row.getString(1));
    }

    private interface Row<T> {
        T read(ResultSet row) throws SQLException;
    }

    private <T> List<T> query(String sql, Row<T> reader) {
        try (Connection connection = dataSource.getConnection();
                ResultSet rows = connection.createStatement().executeQuery(sql)) {
            List<T> found = new ArrayList<>();
            while (rows.next()) {
                found.add(reader.read(rows));
            }
            return found;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}

package io.outboxed.ejb;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.boot.RelayStarter;
import io.outboxed.internal.boot.RolledBackTransaction;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** An event is published before the timer has run, perhaps inside {@code @Transactional}. */
class EarlyPreparationTest {
    private final List<String> done = new ArrayList<>();
    private final RelaySupervisor supervisor = new RelaySupervisor();

    /** As the container, which begins and rolls back around the call. */
    private final class Container extends RolledBackTransactionBean {
        @Override
        public Optional<Exception> run(RolledBackTransaction.Work work) {
            done.add("begin");
            try {
                work.run();
                return Optional.empty();
            } catch (Exception e) {
                return Optional.of(e);
            } finally {
                done.add("rollback");
            }
        }
    }

    private static final class Starter extends RelayStarter {
        private final RolledBackTransaction.Work work;

        private Starter(RolledBackTransaction.Work work) {
            this.work = work;
        }

        @Override
        public synchronized void prepare(RolledBackTransaction transaction) {
            try {
                transaction.run(work);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @Test
    void the_database_is_tested_in_a_transaction_of_the_container() {
        assertThat(prepare(() -> done.add("write"))).isEmpty();
        assertThat(done).containsExactly("begin", "write", "rollback");
    }

    @Test
    void the_reason_why_the_test_failed_is_kept() {
        SQLException refused = new SQLException("refused");

        assertThat(prepare(() -> {
                    throw refused;
                }))
                .hasValueSatisfying(failure -> assertThat(failure).hasCause(refused));
        assertThat(done).containsExactly("begin", "rollback");
    }

    private Optional<RuntimeException> prepare(RolledBackTransaction.Work work) {
        supervisor.transaction = new Container();
        supervisor.starter = new Starter(work);
        return supervisor.prepare();
    }
}

package io.outboxed.internal.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class HeartbeatOpeningTest {
    private final List<Duration> limits = new ArrayList<>();
    private Duration login = Duration.ofSeconds(60);
    private boolean refuses;
    private long now;
    private final HeartbeatOpening opening =
            new HeartbeatOpening(new SlowLogins(), Dialect.H2, Duration.ofSeconds(10), () -> now);

    private final class SlowLogins implements ConnectionSource {
        @Override
        public Connection open() throws SQLException {
            throw new SQLException("without a limit");
        }

        @Override
        public Connection open(Duration answerLimit) throws SQLException {
            limits.add(answerLimit);
            if (refuses) {
                throw new SQLException("refused", "08001");
            }
            if (answerLimit.compareTo(login) < 0) {
                now += answerLimit.toNanos();
                throw new SQLException("no answer", "08006");
            }
            return DriverManager.getConnection("jdbc:h2:mem:" + UUID.randomUUID());
        }
    }

    @Test
    void a_database_whose_logins_are_slow_is_reached_after_a_few_tries() throws SQLException {
        login = Duration.ofSeconds(7);
        fails();
        fails();
        opening.open().close();
        fails();

        assertThat(limits).extracting(Duration::toSeconds).containsExactly(2L, 4L, 8L, 2L);
    }

    /** As while it restarts, and a silent path may come next. */
    @Test
    void a_database_that_refuses_connections_is_not_waited_for_longer_the_next_time() {
        refuses = true;
        fails();
        fails();

        assertThat(limits).extracting(Duration::toSeconds).containsExactly(2L, 2L);
    }

    @Test
    void no_try_takes_longer_than_that_of_any_other_connection() {
        for (int tries = 0; tries < 100; tries++) {
            fails();
        }

        assertThat(limits).allMatch(limit -> limit.compareTo(RelayConnection.NETWORK_LIMIT) <= 0);
        assertThat(limits).endsWith(RelayConnection.NETWORK_LIMIT);
    }

    private void fails() {
        assertThatThrownBy(opening::open).isInstanceOf(SQLException.class);
    }
}

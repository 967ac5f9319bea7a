package io.outboxed.internal.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class StoreExceptionTest {

    @Test
    void a_failure_that_says_what_it_is_about_loses_nothing() {
        StoreException failure = new StoreException("DELETE dead failed", true, new SQLException("refused"));
        failure.addSuppressed(new SQLException("nor could it be rolled back"));

        StoreException named = failure.about("the dead letter of handler A");

        assertThat(named).hasMessage("the dead letter of handler A: DELETE dead failed");
        assertThat(named.isTransient()).isTrue();
        assertThat(named.getCause()).isSameAs(failure.getCause());
        assertThat(named.getStackTrace()).isEqualTo(failure.getStackTrace());
        assertThat(named.getSuppressed()).containsExactly(failure.getSuppressed());
    }
}

package io.outboxed.internal.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SqlFailureTest {

    @ParameterizedTest
    @CsvSource({
        "1412, HY000, a table was changed after the transaction's snapshot",
        "3100, HY000, a member was leaving its group as the transaction was committed"
    })
    void what_mysql_says_will_pass_is_worth_repeating(int code, String state, String what) {
        SQLException failure = new SQLException(what, state, code);

        assertThat(SqlFailure.isTransient(failure)).isTrue();
        assertThat(SqlFailure.isConnectionLost(failure)).isFalse();
    }
}

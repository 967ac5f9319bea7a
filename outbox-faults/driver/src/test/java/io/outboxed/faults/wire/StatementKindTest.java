package io.outboxed.faults.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.store.sql.Sql;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The statements are those that the relay executes: an aimed kill needs to recognise them. */
class StatementKindTest {
    /** Those of the relay, and those with which the application cancels and an operator discards, which do not run here. */
    private static final Set<String> ENDS =
            Set.of("deleteClaimed", "deleteMessage", "deleteRows", "deleteUntouchedRows", "addDone", "cancel");

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MYSQL", "MARIADB"})
    void the_relays_claims_and_acknowledgements_are_recognised_and_no_other_statement_is_one(Dialect dialect) {
        Sql sql = new Sql(dialect, "outbox_");

        assertThat(heardAs(StatementKind.CLAIM, sql)).containsExactly("claimMessage");
        assertThat(ENDS).containsAll(heardAs(StatementKind.ACK, sql));
        assertThat(heardAs(StatementKind.ACK, sql)).contains("deleteClaimed", "deleteRows", "addDone");
        if (sql.messages.deleteUntouchedRows.isPresent()) {
            assertThat(heardAs(StatementKind.ACK, sql)).contains("deleteUntouchedRows");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MYSQL", "MARIADB"})
    void that_a_node_takes_over_a_shard_is_recognised(Dialect dialect) {
        assertThat(heardAs(StatementKind.TAKEOVER, new Sql(dialect, "outbox_"))).containsExactly("takeShard");
    }

    @ParameterizedTest
    @ValueSource(strings = {"BEGIN", "begin", "START TRANSACTION", "SET autocommit=0", "set autocommit = 1"})
    void a_transaction_begins(String sql) {
        assertThat(StatementKind.of(sql)).isEqualTo(StatementKind.BEGIN);
    }

    private static Set<String> heardAs(StatementKind kind, Sql sql) {
        return Arrays.stream(Sql.class.getFields())
                .map(subject -> value(subject, sql))
                .flatMap(statements -> Arrays.stream(statements.getClass().getFields())
                        .filter(field -> text(value(field, statements))
                                .map(StatementKind::of)
                                .filter(kind::equals)
                                .isPresent()))
                .map(Field::getName)
                .collect(Collectors.toSet());
    }

    private static Optional<String> text(Object value) {
        Object inner = value instanceof Optional<?> optional ? optional.orElse(null) : value;
        return inner instanceof String text ? Optional.of(text) : Optional.empty();
    }

    private static Object value(Field field, Object of) {
        try {
            return field.get(of);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }
}

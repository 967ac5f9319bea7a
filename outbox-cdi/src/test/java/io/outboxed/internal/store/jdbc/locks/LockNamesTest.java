package io.outboxed.internal.store.jdbc.locks;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.store.cluster.ClaimStrategy;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class LockNamesTest {
    private final LockNames numbers = new LockNames(Dialect.POSTGRESQL, "16384", "outbox_");
    private final LockNames names = new LockNames(Dialect.MYSQL, "shop", "outbox_");

    @Test
    void names_of_mysql_have_at_most_64_characters_and_differ_without_regard_to_case() {
        String node = ClaimStrategy.ADVISORY_LOCK.nodePrefix() + UUID.randomUUID();
        for (Object name : new Object[] {names.ofLane(Long.MIN_VALUE), names.ofNode(node), names.ofLeader()}) {
            assertThat(name.toString()).hasSizeBetween(17, 64).isLowerCase();
        }
        assertThat(names.ofLane(10)).asString().endsWith("-000000000000000a");
    }

    @Test
    void keys_of_postgresql_are_numbers_of_64_bits() {
        assertThat(LongStream.range(0, 10_000).mapToObj(numbers::ofLane)).doesNotHaveDuplicates();
        assertThat(numbers.ofNode("1")).isNotEqualTo(numbers.ofLane(1)).isInstanceOf(Long.class);
    }

    @Test
    void other_tables_have_others() {
        assertThat(new LockNames(Dialect.MYSQL, "shop", "other_").ofLane(1)).isNotEqualTo(names.ofLane(1));
        assertThat(new LockNames(Dialect.MYSQL, "till", "outbox_").ofLane(1)).isNotEqualTo(names.ofLane(1));
        assertThat(new LockNames(Dialect.POSTGRESQL, "16385", "outbox_").ofLane(1))
                .isNotEqualTo(numbers.ofLane(1));
    }
}

package io.outboxed.internal.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.outboxed.internal.database.Dialect;
import java.lang.reflect.Proxy;
import java.sql.DatabaseMetaData;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which values of outbox.datasource.dialect suit which database. */
class ConfiguredDialectTest {
    private static final Set<Dialect> MYSQL_FAMILY = Set.of(Dialect.MYSQL, Dialect.MARIADB);

    @ParameterizedTest
    @EnumSource
    void only_mysql_and_mariadb_may_be_taken_for_each_other(Dialect found) {
        for (Dialect configured : Dialect.values()) {
            boolean areAlike = configured == found || MYSQL_FAMILY.containsAll(Set.of(configured, found));
            assertThat(isRefused(Optional.of(configured), found))
                    .as("%s on %s", configured, found)
                    .isEqualTo(!areAlike);
        }
    }

    @ParameterizedTest
    @EnumSource
    void without_one_every_database_is_accepted(Dialect found) {
        assertThat(isRefused(Optional.empty(), found)).isFalse();
    }

    private static boolean isRefused(Optional<Dialect> configured, Dialect found) {
        return catchThrowable(() -> ConfiguredDialect.check(configured, found, database())) != null;
    }

    private static DatabaseMetaData database() {
        return (DatabaseMetaData) Proxy.newProxyInstance(
                DatabaseMetaData.class.getClassLoader(),
                new Class<?>[] {DatabaseMetaData.class},
                (proxy, method, arguments) -> "any");
    }
}

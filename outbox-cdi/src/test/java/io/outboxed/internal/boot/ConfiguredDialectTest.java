package io.outboxed.internal.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.outboxed.internal.database.Dialect;
import java.lang.reflect.Proxy;
import java.sql.DatabaseMetaData;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which values of outbox.datasource.dialect suit which database. */
class ConfiguredDialectTest {
    @ParameterizedTest
    @EnumSource
    void only_mariadb_may_be_taken_for_another_database_which_is_mysql(Dialect found) {
        for (Dialect configured : Dialect.values()) {
            boolean suits = configured == found || configured == Dialect.MYSQL && found == Dialect.MARIADB;
            assertThat(isRefused(Optional.of(configured), found))
                    .as("%s on %s", configured, found)
                    .isEqualTo(!suits);
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

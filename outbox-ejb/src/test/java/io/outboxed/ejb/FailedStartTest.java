package io.outboxed.ejb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.internal.boot.RelayReporter;
import io.outboxed.internal.boot.RelayStarter;
import io.outboxed.internal.boot.RolledBackTransaction;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.util.Properties;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The container destroys no bean whose {@code @PostConstruct} method has thrown. */
@ExtendWith(RegisteredDrivers.class)
class FailedStartTest {
    private final RelaySupervisor supervisor = new RelaySupervisor();

    private static final class WrongSchema extends RelayStarter {
        @Override
        public synchronized void prepare(RolledBackTransaction transaction) {
            throw new IllegalStateException("wrong schema");
        }
    }

    private static final class NoReport extends RelayReporter {
        @Override
        public void stopped() {}
    }

    @Test
    void an_application_that_cannot_start_leaves_no_drivers_behind() throws SQLException {
        Driver driver = new OwnDriver();
        DriverManager.registerDriver(driver);
        supervisor.threads = new RelayThreads();
        supervisor.starter = new WrongSchema();
        supervisor.reporter = new NoReport();

        assertThatThrownBy(supervisor::begin).hasMessage("wrong schema");

        assertThat(DriverManager.drivers()).doesNotContain(driver);
    }

    private static final class OwnDriver implements Driver {
        @Override
        public Connection connect(String url, Properties info) {
            return null;
        }

        @Override
        public boolean acceptsURL(String url) {
            return false;
        }

        @Override
        public DriverPropertyInfo[] getPropertyInfo(String url, Properties info) {
            return new DriverPropertyInfo[0];
        }

        @Override
        public int getMajorVersion() {
            return 1;
        }

        @Override
        public int getMinorVersion() {
            return 0;
        }

        @Override
        public boolean jdbcCompliant() {
            return false;
        }

        @Override
        public Logger getParentLogger() {
            return Logger.getGlobal();
        }
    }
}

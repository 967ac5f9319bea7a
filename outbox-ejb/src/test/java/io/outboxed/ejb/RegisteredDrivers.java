package io.outboxed.ejb;

import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The end of an application deregisters its drivers, which are those of all tests here: afterwards they are back. For
 * {@link ExtendWith}.
 */
final class RegisteredDrivers implements BeforeEachCallback, AfterEachCallback {
    private List<Driver> before;

    @Override
    public void beforeEach(ExtensionContext context) {
        before = DriverManager.drivers().toList();
    }

    @Override
    public void afterEach(ExtensionContext context) throws SQLException {
        List<Driver> left = DriverManager.drivers().toList();
        for (Driver driver : before) {
            if (!left.contains(driver)) {
                DriverManager.registerDriver(driver);
            }
        }
    }
}

package io.outboxed.ejb;

import io.outboxed.internal.log.OutboxLog;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;

/**
 * The JDBC drivers that are part of the application. Each has registered itself with the JDK when its class was loaded,
 * and would keep the application in memory after it was undeployed. Open connections are not affected: nothing here
 * looks up drivers in the JDK.
 */
final class ApplicationDrivers {
    private static final String MYSQL_THREAD = "com.mysql.cj.jdbc.AbandonedConnectionCleanupThread";

    private ApplicationDrivers() {}

    /** Called at the end of the application. */
    static void deregister() {
        ClassLoader application = ApplicationDrivers.class.getClassLoader();
        List<Driver> own = DriverManager.drivers()
                .filter(driver -> driver.getClass().getClassLoader() == application)
                .toList();
        for (Driver driver : own) {
            try {
                DriverManager.deregisterDriver(driver);
                endThread(driver);
            } catch (SQLException | ReflectiveOperationException | RuntimeException | LinkageError e) {
                OutboxLog.driverNotDeregistered(driver.getClass().getName(), e);
            }
        }
    }

    /** Ends Connector/J's cleanup thread, which holds the application's class loader. */
    private static void endThread(Driver driver) throws ReflectiveOperationException {
        if (driver.getClass().getName().startsWith("com.mysql.cj.")) {
            driver.getClass()
                    .getClassLoader()
                    .loadClass(MYSQL_THREAD)
                    .getMethod("uncheckedShutdown")
                    .invoke(null);
        }
    }
}

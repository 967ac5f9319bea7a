package io.outboxed.ejb;

import io.outboxed.internal.log.OutboxLog;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The JDBC drivers that are part of the application. Each has registered itself with the JDK when its class was loaded,
 * and would keep the application in memory after it was undeployed. Open connections are not affected: nothing here
 * looks up drivers in the JDK.
 */
final class ApplicationDrivers {
    private static final String MYSQL_THREAD = "com.mysql.cj.jdbc.AbandonedConnectionCleanupThread";

    private ApplicationDrivers() {}

    /** Called at the end of the application, and if it can't start. */
    static void deregister() {
        // two in an EAR: this module's own, and that of the libraries, which have the drivers
        Stream<ClassLoader> application =
                Stream.of(ApplicationDrivers.class.getClassLoader(), OutboxLog.class.getClassLoader());
        Set<ClassLoader> loaders = application.collect(Collectors.toSet());
        List<Driver> own = DriverManager.drivers()
                .filter(driver -> loaders.contains(driver.getClass().getClassLoader()))
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

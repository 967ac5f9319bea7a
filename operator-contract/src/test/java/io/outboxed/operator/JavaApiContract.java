package io.outboxed.operator;

import io.outboxed.internal.database.ConnectionSource;
import java.sql.DriverManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** The Java API on one database. */
abstract class JavaApiContract extends OperatorContract {
    private DeployedAdmin deployed;

    abstract String url();

    abstract String user();

    abstract String password();

    @Override
    protected final ConnectionSource source() {
        return () -> DriverManager.getConnection(url(), user(), password());
    }

    @BeforeEach
    final void deploy() {
        deployed = DeployedAdmin.on(source());
    }

    @AfterEach
    final void undeploy() {
        deployed.close();
    }

    @Override
    public final Operator operator() {
        return deployed.operator();
    }
}

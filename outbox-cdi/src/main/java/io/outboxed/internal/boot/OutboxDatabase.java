package io.outboxed.internal.boot;

import io.outboxed.OutboxException;
import io.outboxed.internal.capture.JpaUnit;
import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Connections;
import io.outboxed.internal.database.DatabaseDescription;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.log.OutboxLog;
import io.outboxed.internal.metrics.OutboxMeters;
import io.outboxed.internal.operations.OutboxOperations;
import io.outboxed.internal.relay.MaintenanceTask;
import io.outboxed.internal.schema.DatabaseCheck;
import io.outboxed.internal.schema.JtaProbe;
import io.outboxed.internal.schema.LockProbe;
import io.outboxed.internal.schema.Schema;
import io.outboxed.internal.store.RelayStore;
import io.outboxed.internal.store.TransactionalAck;
import io.outboxed.internal.store.cluster.ClaimStrategy;
import io.outboxed.internal.store.cluster.HandlerRegistrations;
import io.outboxed.internal.store.cluster.RegistrySnapshot;
import io.outboxed.internal.store.jdbc.JdbcRelayStore;
import io.outboxed.internal.store.jdbc.JdbcTransactionalAck;
import io.outboxed.internal.store.jdbc.RejectedHistory;
import io.outboxed.internal.store.jdbc.locks.ClaimRows;
import io.outboxed.internal.store.jdbc.locks.LaneLockProbe;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import javax.sql.DataSource;

/**
 * The database of the relay, opened once it answers: detects the product, checks the tables, and provides the two ways
 * to it. Successes are recorded through the application's pool, in the delivery's transaction; everything else uses a
 * few connections of the relay's own.
 */
@ApplicationScoped
public class OutboxDatabase {
    private static final String DATA_SOURCE = "java:app/jdbc/outbox";
    private static final int ANSWERS_WITHIN_SECONDS = 5;
    /** Of {@link io.outboxed.datasource.ConfiguredDataSource}. */
    private static final Pattern WRONG_SETTINGS = Pattern.compile("(OUTBOX-020[12]) (.*)");

    private final OutboxConfig config;
    private final JpaUnit unit;
    private final Supplier<DataSource> pools;
    private volatile Opened opened;

    private record Opened(
            JdbcRelayStore store,
            TransactionalAck transactionalAck,
            OutboxOperations operations,
            MaintenanceTasks maintenance,
            ConnectionSource source,
            DatabaseDescription description) {}

    @Inject
    OutboxDatabase(OutboxConfig config, JpaUnit unit) {
        this(config, unit, OutboxDatabase::pool);
    }

    /** @param pools the application's data source */
    OutboxDatabase(OutboxConfig config, JpaUnit unit, Supplier<DataSource> pools) {
        this.config = config;
        this.unit = unit;
        this.pools = pools;
    }

    /** Needed by the container's proxy. */
    OutboxDatabase() {
        this(null, null);
    }

    /**
     * @param transaction in which it is tested that a rollback undoes what is written
     * @throws StoreException while the database can't be reached; {@link OutboxException} if it is unsuitable, or not
     *     configured
     */
    public synchronized void open(RolledBackTransaction transaction) {
        if (opened != null) {
            return;
        }
        DataSource pool = pools.get();
        ConnectionSource source = DirectConnections.bypassing(pool);
        Dialect dialect = dialect(source);
        String prefix = config.database().tablePrefix();
        MaintenanceTasks maintenance = new MaintenanceTasks(dialect, prefix, config.retention());
        prepareSchema(new Schema(source, dialect, prefix));
        new DatabaseCheck(source, dialect, prefix).check();
        new LockProbe(source, ConnectionSource.shared(pool::getConnection), dialect, prefix).check();
        JtaProbe probe = new JtaProbe(source, dialect, prefix);
        new RollbackCheck(pool, unit, transaction).check(probe);
        new OtherDataSources(pool, DATA_SOURCE, config.database().independentUnits(), transaction, probe)
                .check(Thread.currentThread().getContextClassLoader());
        JdbcRelayStore store = store(source, dialect, prefix);
        opened = new Opened(
                store,
                new JdbcTransactionalAck(
                        pool,
                        work -> unit.onConnection(work::on),
                        dialect,
                        prefix,
                        new RejectedHistory(config.retention().keepHistory(), OutboxLog::optionalDropped)),
                new OutboxOperations(source, dialect, prefix),
                maintenance,
                source,
                DatabaseDescription.of(source));
    }

    /** @throws OutboxException if the claim strategy can't be used with this database */
    JdbcRelayStore store(ConnectionSource source, Dialect dialect, String prefix) {
        boolean keepHistory = config.retention().keepHistory();
        OutboxConfig.Relay relay = config.relay();
        ClaimStrategy claim = relay.enabled() ? relay.claim() : ClaimStrategy.SHARDS;
        return switch (claim) {
            case SHARDS ->
                new JdbcRelayStore(source, dialect, prefix, keepHistory, OutboxLog::optionalDropped, relay.lease());
            case ROW_LOCK -> {
                ClaimRows.requireSupport(dialect);
                yield JdbcRelayStore.withClaimRows(
                        source, dialect, prefix, keepHistory, OutboxLog::optionalDropped, relay.lease());
            }
            case ADVISORY_LOCK -> {
                new LaneLockProbe(source, dialect, prefix, relay.lease()).check();
                yield JdbcRelayStore.withLaneLocks(
                        source, dialect, prefix, keepHistory, OutboxLog::optionalDropped, relay.lease());
            }
        };
    }

    DatabaseDescription description() {
        return require().description();
    }

    /** Empty if the database does not answer just now: it is for the report only. */
    RegistrySnapshot registry() {
        try {
            return handlers().snapshot();
        } catch (StoreException e) {
            return RegistrySnapshot.EMPTY;
        }
    }

    /** Closes its connection after each use: only a relay, which may never start, would use the store's again. */
    HandlerRegistrations handlers() {
        return require().operations().handlerRegistrations();
    }

    /** Uses its own connection. */
    boolean answers() {
        try (Connection connection = require().source().open()) {
            return connection.isValid(ANSWERS_WITHIN_SECONDS);
        } catch (SQLException e) {
            return false;
        }
    }

    @Produces
    @Dependent
    RelayStore store() {
        return require().store().store();
    }

    /** Tasks that use the store's connections. */
    List<MaintenanceTask> maintenance(OutboxMeters meters) {
        Opened open = require();
        Connections connections = open.store().maintenance();
        CleanupAudit audit =
                new CleanupAudit(open.operations().audit(), config.relay().label());
        List<MaintenanceTask> tasks = new ArrayList<>(open.maintenance().all(connections, meters, audit));
        tasks.add(new BulkTask(open.operations()
                .bulkRunner(open.store().connections(), letter -> meters.discarded(letter.handler()))));
        return tasks;
    }

    @Produces
    @Dependent
    TransactionalAck transactionalAck() {
        return require().transactionalAck();
    }

    @Produces
    @Dependent
    OutboxOperations operations() {
        return require().operations();
    }

    @PreDestroy
    void close() {
        Opened open = opened;
        if (open != null) {
            open.operations().close();
            open.store().close();
        }
    }

    private Opened require() {
        Opened open = opened;
        if (open == null) {
            throw new OutboxException(
                    "OUTBOX-0441",
                    "the outbox database has not been reachable since the application started; the relay retries once a"
                            + " second and starts when it is (outbox.datasource.url)");
        }
        return open;
    }

    private void prepareSchema(Schema schema) {
        switch (config.database().schema()) {
            case CREATE -> schema.create();
            case VERIFY -> schema.verify();
            case OFF -> {}
        }
    }

    private Dialect dialect(ConnectionSource source) {
        try (Connection connection = source.open()) {
            DatabaseMetaData database = connection.getMetaData();
            Dialect found = Dialect.from(database);
            ConfiguredDialect.check(config.database().dialect(), found, database);
            return found;
        } catch (SQLException e) {
            refuseSettings(e);
            throw new StoreException("the outbox database could not be reached", true, e);
        }
    }

    /** No database is configured, or no driver for it is there: to wait would not help. The server's pool may wrap that. */
    private static void refuseSettings(SQLException failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            Matcher settings = WRONG_SETTINGS.matcher(String.valueOf(each.getMessage()));
            if (settings.find()) {
                throw new OutboxException(settings.group(1), settings.group(2), failure);
            }
        }
    }

    private static DataSource pool() {
        try {
            return (DataSource) new InitialContext().lookup(DATA_SOURCE);
        } catch (NamingException e) {
            throw new OutboxException(
                    "OUTBOX-0442",
                    "there is no data source " + DATA_SOURCE + ", or it can't be created (" + e
                            + "). Add the jar outbox-datasource to WEB-INF/lib, which defines it with"
                            + " outbox.datasource.url, or define it yourself: with a @DataSourceDefinition of that"
                            + " name, or with a"
                            + " resource-ref of that name in web.xml whose lookup-name is a data source of the server",
                    e);
        }
    }
}

package io.outboxed.internal.testkit.standalone;

import io.outboxed.internal.boot.RelayStarter;
import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.relay.HandlerInvoker;
import io.outboxed.internal.relay.Notifications;
import io.outboxed.internal.store.RelayStore;
import io.outboxed.internal.testkit.ObservedCalls;
import io.outboxed.internal.testkit.TestOutbox;
import io.outboxed.internal.testkit.TestTables;
import io.smallrye.faulttolerance.FaultToleranceExtension;
import io.smallrye.faulttolerance.api.CircuitBreakerMaintenance;
import io.smallrye.faulttolerance.metrics.MetricsIntegration;
import jakarta.enterprise.context.control.RequestContextController;
import jakarta.enterprise.context.spi.CreationalContext;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.enterprise.inject.spi.Extension;
import jakarta.transaction.TransactionManager;
import jakarta.transaction.TransactionSynchronizationRegistry;
import jakarta.transaction.UserTransaction;
import java.lang.annotation.Annotation;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jboss.weld.environment.se.Weld;
import org.jboss.weld.environment.se.WeldContainer;

/** An application with its outbox, in this process: started for a test class, reset before each test. */
public final class StandaloneOutbox implements AutoCloseable {
    private static final String POOL = "java:/jdbc/pool";
    private static final AtomicInteger STARTED = new AtomicInteger();

    private final Deque<Runnable> ends = new ArrayDeque<>();
    private final String name = "outbox-testkit-" + STARTED.incrementAndGet();
    private final Transactions transactions = new Transactions();
    private final JtaDataSource dataSource = new JtaDataSource(transactions);
    private final Snapshot snapshot = new Snapshot(dataSource, name);
    private PersistenceUnits units;
    private WeldContainer beans;
    private SteppedRelay relay;
    private TestRequest request;

    private StandaloneOutbox() {}

    /**
     * A database in memory, and a relay that works while a test waits for it.
     *
     * @param wanted the application's beans; empty: those in the package of the test and below
     */
    public static StandaloneOutbox start(Class<?> test, List<Class<?>> wanted, List<String> settings) {
        StandaloneOutbox outbox = new StandaloneOutbox();
        return outbox.closedAfterFailure(() -> {
            outbox.ends.push(TestConfig.inMemory(outbox.name, settings).install());
            outbox.ends.push(TestNames.install(outbox.names()));
            outbox.ends.push(outbox.snapshot::forget);
            outbox.open(test, wanted);
            outbox.snapshot.take();
            outbox.relay = outbox.relay();
            outbox.ends.push(outbox.relay::close);
            outbox.relay.startAnew();
            outbox.request = new TestRequest(outbox.get(RequestContextController.class));
            outbox.request.begin();
            outbox.ends.push(outbox.request::end);
            outbox.ends.push(outbox.transactions::rollBackLeftOver);
        });
    }

    /**
     * For a program that a test kills: the database outlives it. There is no relay, and {@link #reset} can't be called.
     *
     * @param database the connections of a server's pool, without JTA
     * @param beans the application's
     */
    public static StandaloneOutbox startOn(
            DataSource database, Class<?> program, List<Class<?>> beans, List<String> settings) {
        StandaloneOutbox outbox = new StandaloneOutbox();
        return outbox.closedAfterFailure(() -> {
            outbox.ends.push(TestConfig.withDataSource(POOL, settings).install());
            Map<String, Object> names = new HashMap<>(outbox.names());
            names.put(POOL, database);
            outbox.ends.push(TestNames.install(names));
            outbox.open(program, beans);
        });
    }

    private StandaloneOutbox closedAfterFailure(Runnable start) {
        try {
            start.run();
            return this;
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    private void open(Class<?> test, List<Class<?>> wanted) {
        units = new PersistenceUnits(dataSource, transactions);
        units.beginToOpen();
        ends.push(units::close);
        beans = started(weld(test, wanted), test);
        ends.push(beans::close);
        units.awaitOpen();
        get(RelayStarter.class).prepare();
    }

    private static WeldContainer started(Weld weld, Class<?> test) {
        try {
            return weld.initialize();
        } catch (RuntimeException e) {
            List<String> absent = new BeanClasses(test).sessionBeansBelow(test.getPackageName());
            if (absent.isEmpty()) {
                throw e;
            }
            throw new IllegalStateException(
                    "the application could not be started (" + e.getMessage() + "). Session beans need a server, so it"
                            + " has none of " + absent + ": test them in a server, or make them CDI beans",
                    e);
        }
    }

    private Map<String, Object> names() {
        return Map.of(
                "java:app/jdbc/outbox", dataSource,
                "java:comp/UserTransaction", transactions.user(),
                "java:comp/TransactionSynchronizationRegistry", transactions.registry(),
                // where Narayana itself looks
                "java:/TransactionManager", transactions.manager(),
                "java:/TransactionSynchronizationRegistry", transactions.registry());
    }

    private Weld weld(Class<?> test, List<Class<?>> wanted) {
        Map<Class<?>, String> namesByType = Map.of(
                DataSource.class, "java:app/jdbc/outbox",
                UserTransaction.class, "java:comp/UserTransaction",
                TransactionSynchronizationRegistry.class, "java:comp/TransactionSynchronizationRegistry",
                TransactionManager.class, "java:/TransactionManager");
        BeanClasses classes = new BeanClasses(test);
        Weld weld = new Weld(name)
                .disableDiscovery()
                .addServices(new InjectedResources(units, transactions, namesByType))
                .addBeanClasses(classes.below("io.outboxed.internal"))
                .addBeanClass(StandaloneRegistrar.class)
                .addExtension(new ClaimedDeliveries(dataSource::deliveryClaimed))
                .addBeanClasses(
                        wanted.isEmpty() ? classes.below(test.getPackageName()) : wanted.toArray(Class<?>[]::new));
        ServiceLoader.load(Extension.class).stream()
                .filter(found -> found.type() != FaultToleranceExtension.class)
                .forEach(found -> weld.addExtension(found.get()));
        // by default it would use MicroProfile Metrics, whose API need not be there
        return weld.addExtension(new FaultToleranceExtension(MetricsIntegration.NOOP));
    }

    private SteppedRelay relay() {
        TestOutbox outbox = get(TestOutbox.class);
        ObservedCalls observed = get(ObservedCalls.class);
        HandlerInvoker handlers = get(HandlerInvoker.class);
        Notifications notifications = get(Notifications.class);
        RelayStore store = get(RelayStore.class);
        OutboxConfig config = get(OutboxConfig.class);
        TestTables tables = get(TestTables.class);
        SteppedRelay stepped = new SteppedRelay(
                dataSource,
                (clock, crashed) -> new SteppedNode(store, handlers, notifications, config, clock, crashed),
                new RedeliveryRuns(outbox, observed, tables, this::restore),
                units.elsewhere(config.database().independentUnits()),
                tables::isAnyPaused);
        outbox.driveWith(stepped);
        observed.crashWith(stepped);
        return stepped;
    }

    /** For the next test: a new request, and the database becomes what it was after the start. */
    public void reset() {
        transactions.rollBackLeftOver();
        request.begin();
        restore();
    }

    private void restore() {
        transactions.rollBackLeftOver();
        relay.awaitEnd();
        get(ObservedCalls.class).forget();
        get(CircuitBreakerMaintenance.class).resetAll();
        snapshot.restore();
        units.forgetCached();
        relay.startAnew();
    }

    /** @param annotations of the parameter, among them its qualifiers */
    public boolean has(Class<?> type, Annotation... annotations) {
        return !type.isPrimitive()
                && !type.getName().startsWith("java.")
                && beans.select(type, qualifiers(annotations)).isResolvable();
    }

    /** @param annotations of the parameter, among them its qualifiers */
    public <T> T get(Class<T> type, Annotation... annotations) {
        return beans.select(type, qualifiers(annotations)).get();
    }

    private Annotation[] qualifiers(Annotation... annotations) {
        return Arrays.stream(annotations)
                .filter(each -> beans.getBeanManager().isQualifier(each.annotationType()))
                .toArray(Annotation[]::new);
    }

    /** Into the fields and initializers of an object that is no bean. */
    public <T> void inject(T object) {
        BeanManager manager = beans.getBeanManager();
        @SuppressWarnings("unchecked")
        Class<T> type = (Class<T>) object.getClass();
        CreationalContext<T> context = manager.createCreationalContext(null);
        manager.getInjectionTargetFactory(manager.createAnnotatedType(type))
                .createInjectionTarget(null)
                .inject(object, context);
    }

    @Override
    public void close() {
        RuntimeException failure = null;
        while (!ends.isEmpty()) {
            try {
                ends.pop().run();
            } catch (RuntimeException e) {
                if (failure == null) {
                    failure = e;
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}

package io.outboxed.internal.testkit.standalone;

import jakarta.enterprise.inject.spi.InjectionPoint;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Persistence;
import java.io.InputStream;
import java.net.URL;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.sql.DataSource;
import javax.xml.parsers.DocumentBuilderFactory;
import org.hibernate.SessionFactory;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** The persistence units of the class path, all on the test's data source. Tables of the application are created. */
final class PersistenceUnits implements AutoCloseable {
    private static final String OURS = "outbox";
    private static final String NO_JTA = "RESOURCE_LOCAL";
    private static final String OUR_DATA_SOURCE = "java:app/jdbc/outbox";

    private final DataSource dataSource;
    private final Transactions transactions;
    /** Whether a unit creates its tables itself, by name. */
    private final Map<String, Boolean> declared = new TreeMap<>();
    /** What keeps units out of the outbox's transactions, by name: another data source, or no JTA. */
    private final Map<String, String> elsewhere = new TreeMap<>();
    /** Those that beans inject. */
    private final Set<String> used = ConcurrentHashMap.newKeySet();

    private final Map<String, EntityManagerFactory> open = new LinkedHashMap<>();
    private final FutureTask<Void> opening =
            new FutureTask<>(() -> declared.keySet().forEach(this::factory), null);
    /** Inherits the class loader of the test. */
    private final Thread opener = new Thread(opening, "outbox-testkit-units");

    PersistenceUnits(DataSource dataSource, Transactions transactions) {
        this.dataSource = dataSource;
        this.transactions = transactions;
        try {
            ClassLoader loader = Thread.currentThread().getContextClassLoader();
            for (URL file : Collections.list(loader.getResources("META-INF/persistence.xml"))) {
                declare(file);
            }
        } catch (Exception e) {
            throw new IllegalStateException("the files META-INF/persistence.xml could not be read", e);
        }
    }

    private void declare(URL file) throws Exception {
        try (InputStream text = file.openStream()) {
            Document document =
                    DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(text);
            for (Element unit : elements(document.getDocumentElement(), "persistence-unit")) {
                String name = unit.getAttribute("name");
                if (declared.containsKey(name)) {
                    // Hibernate takes the first one too
                    continue;
                }
                declared.put(name, elements(unit, "property").stream().anyMatch(PersistenceUnits::createsTables));
                if (unit.getAttribute("transaction-type").equals(NO_JTA)) {
                    elsewhere.put(name, NO_JTA);
                    continue;
                }
                Stream.of("jta-data-source", "non-jta-data-source")
                        .flatMap(source -> elements(unit, source).stream())
                        .map(source -> source.getTextContent().strip())
                        .findFirst()
                        .filter(source -> !source.equals(OUR_DATA_SOURCE))
                        .ifPresent(source -> elsewhere.put(name, source));
            }
        }
    }

    /** Or changes them. What only validates them, or does nothing, relies on tables that the empty database lacks. */
    private static boolean createsTables(Element property) {
        String name = property.getAttribute("name");
        return (name.endsWith("schema-generation.database.action") || name.endsWith("hbm2ddl.auto"))
                && !Set.of("none", "validate").contains(property.getAttribute("value"));
    }

    /**
     * Why a crash between two resources can't be shown, if the beans use more than one.
     *
     * @param independent units whose transactions publish nothing
     */
    Optional<String> elsewhere(Set<String> independent) {
        Map<String, String> other = new TreeMap<>(elsewhere);
        other.keySet().retainAll(used);
        other.keySet().removeAll(independent);
        return other.isEmpty()
                ? Optional.empty()
                : Optional.of("beans inject persistence units with data sources or transactions of their own " + other
                        + ", but the kit has one database and JTA for all: what a crash would leave there without its"
                        + " delivery is rolled back here. Test this in a server, make them JTA units on "
                        + OUR_DATA_SOURCE + ", or if their transactions publish and handle nothing, name them in"
                        + " outbox.datasource.independent-units");
    }

    private static List<Element> elements(Element parent, String name) {
        NodeList found = parent.getElementsByTagName(name);
        return IntStream.range(0, found.getLength())
                .mapToObj(i -> (Element) found.item(i))
                .toList();
    }

    /** Creates them all, beside the start of the beans: both take about as long. */
    void beginToOpen() {
        opener.start();
    }

    /** Later it could happen in the middle of a test's transaction. */
    void awaitOpen() {
        try {
            opening.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("the persistence units could not be opened", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the persistence units were opened", e);
        }
    }

    EntityManager entityManager(String unit) {
        return TransactionEntityManager.of(() -> factory(unit), transactions);
    }

    synchronized EntityManagerFactory factory(String unit) {
        return open.computeIfAbsent(unit, this::create);
    }

    /** With the unit of the outbox there are several: WildFly takes the application's only one, Payara refuses it. */
    String injected(String unit, InjectionPoint point) {
        if (unit.isEmpty()) {
            throw new IllegalStateException(point.getMember() + " names no persistence unit, and there are "
                    + declared.keySet() + ": add unitName, without which Payara refuses the deployment");
        }
        used.add(unit);
        return unit;
    }

    private EntityManagerFactory create(String name) {
        Map<String, Object> properties = new LinkedHashMap<>();
        properties.put("jakarta.persistence.provider", "org.hibernate.jpa.HibernatePersistenceProvider");
        properties.put("jakarta.persistence.transactionType", "JTA");
        properties.put("jakarta.persistence.jtaDataSource", dataSource);
        properties.put("hibernate.transaction.jta.platform", new TestJtaPlatform(transactions));
        if (!name.equals(OURS) && !declared.getOrDefault(name, false)) {
            properties.put("jakarta.persistence.schema-generation.database.action", "create");
        }
        return Persistence.createEntityManagerFactory(name, properties);
    }

    /** What second-level caches have of the database. */
    synchronized void forgetCached() {
        // JPA's own evictAll leaves collections and the results of queries
        open.values()
                .forEach(unit -> unit.unwrap(SessionFactory.class).getCache().evictAllRegions());
    }

    @Override
    public void close() {
        try {
            opener.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        closeAll();
    }

    private synchronized void closeAll() {
        open.values().forEach(EntityManagerFactory::close);
        open.clear();
    }
}

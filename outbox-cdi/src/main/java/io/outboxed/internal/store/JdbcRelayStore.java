package io.outboxed.internal.store;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;

/** The relay's side of the tables, on its own few connections. Close it after the relay has stopped. */
public final class JdbcRelayStore implements RelayStore, AutoCloseable {
    private static final int CONNECTIONS = 3;

    private final Connections connections;
    /** The heart beats on a connection of its own, whatever the others wait for. */
    private final Connections heart;
    /** Who counts a million rows holds up nobody. */
    private final Connections spectator;

    private final JdbcNodes nodes;
    private final JdbcShards shards;
    private final JdbcHandlers handlers;
    private final JdbcReading reading;
    private final JdbcBacklog backlog;
    private final JdbcFacts facts;
    private final JdbcDecisions decisions;

    /**
     * @param source opens connections that take part in no JTA transaction; at most five at a time
     * @param dropped hears what the database refused and what was left out for that: an error text, a row of the history
     */
    public JdbcRelayStore(
            ConnectionSource source,
            Dialect dialect,
            String prefix,
            boolean keepHistory,
            Consumer<StoreException> dropped) {
        Sql sql = new Sql(dialect, prefix);
        this.connections = new Connections(source, dialect, CONNECTIONS);
        this.heart = new Connections(source, dialect, 1);
        this.spectator = new Connections(source, dialect, 1, Duration.ZERO, System::nanoTime);
        this.nodes = new JdbcNodes(heart, sql);
        this.shards = new JdbcShards(connections, sql);
        this.handlers = new JdbcHandlers(connections, sql);
        this.reading = new JdbcReading(connections, sql);
        this.backlog = new JdbcBacklog(spectator, sql);
        this.facts = new JdbcFacts(connections, sql, keepHistory, dropped);
        this.decisions = new JdbcDecisions(connections, sql, keepHistory, dropped);
    }

    @Override
    public void join(String owner, String label, long generation) {
        nodes.join(owner, label, generation);
    }

    @Override
    public boolean beat(String owner) {
        return nodes.beat(owner);
    }

    @Override
    public List<NodeBeat> nodes() {
        return nodes.nodes();
    }

    @Override
    public boolean declareDead(NodeBeat observed) {
        return nodes.declareDead(observed);
    }

    @Override
    public List<ShardOwner> shards() {
        return shards.shards();
    }

    @Override
    public OptionalLong take(ShardOwner observed, String newOwner) {
        return shards.take(observed, newOwner);
    }

    @Override
    public boolean handOver(Lease lease, String newOwner) {
        return shards.handOver(lease, newOwner);
    }

    @Override
    public void release(Collection<Lease> leases) {
        shards.release(leases);
    }

    @Override
    public void leave(String owner) {
        nodes.leave(owner);
    }

    @Override
    public long register(Collection<HandlerRegistration> registrations) {
        return handlers.register(registrations);
    }

    @Override
    public Registry registry() {
        return handlers.registry();
    }

    @Override
    public List<Head> ready(Collection<Window> windows) {
        return reading.ready(windows);
    }

    @Override
    public List<Head> lanes(Collection<Long> lanes, int limit) {
        return reading.lanes(lanes, limit);
    }

    @Override
    public List<Waiting> waiting(long lane, String group, int limit) {
        return reading.waiting(lane, group, limit);
    }

    @Override
    public List<Head> unadopted(long lane, long above, int limit) {
        return reading.unadopted(lane, above, limit);
    }

    @Override
    public List<WaitingLane> due(Collection<Integer> ofShards, int limit) {
        return reading.due(ofShards, limit);
    }

    @Override
    public Map<Long, Set<String>> waits(Collection<Long> lanes) {
        return reading.waits(lanes);
    }

    @Override
    public Set<Integer> waitingShards(Collection<Integer> ofShards) {
        return reading.waitingShards(ofShards);
    }

    @Override
    public Map<UUID, Set<String>> done(Collection<UUID> messages) {
        return reading.done(messages);
    }

    @Override
    public List<Body> bodies(Collection<Long> seqs) {
        return reading.bodies(seqs);
    }

    @Override
    public long highest() {
        return reading.highest();
    }

    @Override
    public Backlog backlog() {
        return backlog.read();
    }

    @Override
    public long clock() {
        return backlog.clock();
    }

    @Override
    public void settle(List<Settled> batch) {
        facts.settle(batch);
    }

    @Override
    public void decide(Lease lease, List<Decision> decided) {
        decisions.decide(lease, decided);
    }

    @Override
    public boolean refresh(Lease lease, WaitingLane lane) {
        return decisions.refresh(lease, lane);
    }

    @Override
    public List<UUID> start(Lease lease, List<Head> suspects, Set<Long> firstOfLanes) {
        return decisions.start(lease, suspects, firstOfLanes);
    }

    @Override
    public void close() {
        heart.close();
        spectator.close();
        connections.close();
    }
}

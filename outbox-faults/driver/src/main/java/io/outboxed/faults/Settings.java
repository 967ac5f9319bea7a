package io.outboxed.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * The settings of a run, from system properties {@code faults.*}.
 *
 * @param length how long faults begin
 * @param most after how many faults the run ends, even if there is time left
 * @param pause the longest time without a call that the run accepts; empty: any
 * @param seed of the plan of faults; the writers' random choices do not depend on it
 * @param rate transactions per second of each node
 * @param claim how nodes share the work: outbox.relay.claim
 * @param only the only kind of fault, if there is to be one
 * @param every how often that one occurs
 * @param payara Payara Micro's jar
 * @param wildFly WildFly's zip if the last node is to run on it, else empty
 * @param war the application
 * @param next its next version
 * @param directory of this run
 */
record Settings(
        String database,
        Duration length,
        int most,
        Optional<Duration> pause,
        long seed,
        double rate,
        String claim,
        Optional<Fault> only,
        Duration every,
        Path payara,
        Optional<Path> wildFly,
        Path war,
        Path next,
        Path directory) {
    static final int NODES = 3;

    static Settings read() {
        long seed = Long.getLong("faults.seed", 0);
        String database = System.getProperty("faults.database", "postgresql");
        // never the directory of another run: its journals would be taken for those of this run
        Path directory = Path.of(System.getProperty("faults.directory"), database + "-" + System.currentTimeMillis());
        Path war = Path.of(System.getProperty("faults.war"));
        return new Settings(
                database,
                Duration.ofSeconds((long) (60 * Double.parseDouble(System.getProperty("faults.minutes", "4")))),
                most(Integer.getInteger("faults.count", 0)),
                Optional.ofNullable(Long.getLong("faults.pause")).map(Duration::ofSeconds),
                seed == 0 ? System.currentTimeMillis() % 1_000_000 : seed,
                Double.parseDouble(System.getProperty("faults.rate", "12")),
                System.getProperty("faults.claim", "shards"),
                Optional.of(System.getProperty("faults.only", ""))
                        .filter(name -> !name.isEmpty())
                        .map(Fault::valueOf),
                Duration.ofSeconds(Long.getLong("faults.every", 60)),
                Path.of(System.getProperty("faults.payara")),
                Optional.of(System.getProperty("faults.wildfly", ""))
                        .filter(zip -> !zip.isEmpty())
                        .map(Path::of),
                war,
                named(war, Path.of(System.getProperty("faults.war.next")), directory),
                directory);
    }

    /** @param count 0: as many as there is time for */
    private static int most(int count) {
        return count == 0 ? Integer.MAX_VALUE : count;
    }

    Plan plan() {
        return only.map(fault -> Plan.of(seed, length, fault, every)).orElseGet(() -> Plan.of(seed, length));
    }

    /** A copy with the same file name: servers derive the application's path from it. */
    private static Path named(Path war, Path next, Path directory) {
        try {
            Path copy = Files.createDirectories(directory.resolve("next")).resolve(war.getFileName());
            return Files.copy(next, copy);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

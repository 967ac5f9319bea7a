package io.outboxed.faults;

import io.outboxed.faults.history.Call;
import io.outboxed.faults.history.Facts;
import io.outboxed.faults.history.Facts.Letter;
import io.outboxed.faults.history.Micros;
import io.outboxed.faults.history.Outages;
import io.outboxed.faults.history.Requests;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** {@code mvn -Pfaults}: the whole run. Exits with 1 if a requirement was not met. */
public final class Faults {
    private final Settings settings;
    private final Outages outages = new Outages();
    private final Optional<Path> wrongClock = WrongClock.library();

    private Faults(Settings settings) {
        this.settings = settings;
    }

    public static void main(String[] arguments) throws SQLException {
        String judged = System.getProperty("faults.judge", "");
        if (!judged.isEmpty()) {
            System.exit(Judge.judge(Path.of(judged)) ? 0 : 1);
        }
        OptionalInt code = Disk.isMounted() ? OptionalInt.empty() : Disk.run(Faults.class);
        System.exit(code.isPresent() ? code.getAsInt() : new Faults(Settings.read()).run() ? 0 : 1);
    }

    private boolean run() throws SQLException {
        Console.line("faults.database=" + settings.database() + " faults.seed=" + settings.seed());
        Plan planned = settings.plan();
        if (wrongClock.isEmpty()) {
            Console.line("left out: a wrong clock, because libfaketime was not found (on Debian in the package"
                    + " libfaketime; or name it with -Dfaults.faketime=<path>)");
        }
        try (Storage storage = new Storage(settings.database(), outages);
                Cluster cluster = new Cluster(settings, storage, outages, wrongClock)) {
            Console.progress("starting %d nodes", Settings.NODES);
            cluster.start();
            Plan plan = storage.hasDisk() ? planned : planned.without(Fault.DISK_FULL);
            Injection injection = new Injection(cluster, storage);
            long begin = Micros.now();
            injection.run(plan, new Length(settings.length()), settings.most());
            Console.progress("all nodes are up, draining");
            Drain drain = new Drain(cluster, storage);
            List<Letter> letters = drain.run();
            try (Connection connection = storage.connect()) {
                Requests requests = Requests.read(connection, Call.answered(cluster.journals()));
                Plan judged = planned.isLong(settings.most()) ? planned : plan;
                Evaluation evaluation = new Evaluation(settings, judged, injection, cluster, drain, outages, begin);
                Report report = evaluation.of(Facts.read(connection), requests, letters, wrongClock.isPresent());
                Console.line("\n" + report);
                return report.kept();
            }
        }
    }
}

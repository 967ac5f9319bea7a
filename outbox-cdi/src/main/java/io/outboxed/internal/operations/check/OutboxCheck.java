package io.outboxed.internal.operations.check;

import io.outboxed.OutboxException;
import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.schema.DatabaseCheck;
import io.outboxed.internal.schema.LockProbe;
import io.outboxed.internal.schema.Schema;
import io.outboxed.internal.schema.SchemaCheck;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Examines a database: what the start of an application checks, and what only hurts later. Changes nothing. */
public final class OutboxCheck {
    private final ConnectionSource source;
    private final Dialect dialect;
    private final String prefix;

    public OutboxCheck(ConnectionSource source, Dialect dialect, String prefix) {
        this.source = source;
        this.dialect = dialect;
        this.prefix = prefix;
    }

    /** All results, the good ones too. */
    public List<CheckResult> examine() {
        CheckSql sql = new CheckSql(dialect, prefix);
        List<CheckResult> results = new ArrayList<>();
        results.addAll(new VersionCheck(source, dialect).diagnose());
        attempt(results, "schema", () -> schema(results));
        attempt(results, "rights", () -> rights(results, new PrivilegeCheck(source, sql)));
        attempt(results, "partitions", () -> results.add(new PartitionCheck(source, dialect, sql).diagnose()));
        attempt(results, "settings", () -> results.addAll(new SettingsCheck(source, dialect, sql).diagnose()));
        return results;
    }

    private void rights(List<CheckResult> results, PrivilegeCheck privileges) {
        Map<OperatorTask, PrivilegeCheck.Rights> rights = privileges.rights();
        results.addAll(privileges.diagnose(rights));
        if (rights.get(OperatorTask.TEST_LOCKS).areGranted()) {
            attempt(results, "row locks", () -> {
                new LockProbe(source, source, dialect, prefix).check();
                results.add(CheckResult.ok("row locks", "lock, and locked rows are skipped"));
            });
        }
    }

    private void schema(List<CheckResult> results) {
        List<SchemaCheck.Finding> findings = new Schema(source, dialect, prefix).findings();
        for (SchemaCheck.Finding finding : findings) {
            results.add(CheckResult.problem("schema", finding.problem(), "see \"outbox schema upgrade\""));
        }
        if (findings.isEmpty()) {
            results.add(CheckResult.ok("schema", "tables, columns, indexes and rows are as expected"));
            attempt(results, "numbering", () -> {
                new DatabaseCheck(source, dialect, prefix).check();
                results.add(CheckResult.ok(
                        "numbering", "follows commits; all shards are there; this connection stores text as it is"));
            });
        }
    }

    private static void attempt(List<CheckResult> results, String subject, Runnable check) {
        try {
            check.run();
        } catch (OutboxException | StoreException e) {
            results.add(CheckResult.problem(subject, e.getMessage(), ""));
        }
    }
}

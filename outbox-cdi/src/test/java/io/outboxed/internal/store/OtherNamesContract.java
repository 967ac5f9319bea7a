package io.outboxed.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.operations.OutboxOperations;
import io.outboxed.internal.operations.check.CheckResult;
import io.outboxed.internal.retention.RetentionContract;
import io.outboxed.internal.schema.JtaProbeContract;
import io.outboxed.internal.schema.SchemaContract;
import org.junit.jupiter.api.Test;

/**
 * The statements of the relay and of operators on tables with another prefix, in another schema than the connection's.
 * {@code RowContract} does the same for those of publishers.
 */
abstract class OtherNamesContract extends DatabaseContract
        implements OperatorContract,
                BulkContract,
                RetentionContract,
                CancelContract,
                ReadingContract,
                SchemaContract,
                JtaProbeContract {
    /** Contains the default one, which must not be replaced twice. */
    @Override
    String prefix() {
        return "outboxed.my_outbox_";
    }

    @Test
    void an_examination_finds_no_problem() {
        try (OutboxOperations operations = OutboxOperations.open(jdbc().source(), prefix())) {
            assertThat(operations.check().examine())
                    .hasSizeGreaterThan(5)
                    .filteredOn(each -> each.severity() == CheckResult.Severity.PROBLEM)
                    .extracting(CheckResult::subject)
                    .isSubsetOf("fsync"); // which a test's server is started without
        }
    }
}

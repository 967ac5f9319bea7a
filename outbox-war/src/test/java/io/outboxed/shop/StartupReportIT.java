package io.outboxed.shop;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the demo says when it has started. */
class StartupReportIT {

    @Test
    void the_report_names_the_executor_that_calls_handlers(@TempDir Path directory) {
        try (ShopServer server = ShopServer.start("report", TestDatabase.inFile(directory.resolve("outbox")))
                .ready()) {
            Await.until("the report", 60, () -> server.log().contains("OUTBOX-0620 Outboxed is ready"), server::log);

            assertThat(server.log()).containsPattern("executor +java:app/concurrent/outbox\\R");
        }
    }
}

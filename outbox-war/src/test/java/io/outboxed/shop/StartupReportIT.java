package io.outboxed.shop;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the demo says when it has started. */
class StartupReportIT {

    @Test
    void the_report_names_the_executor_that_calls_handlers_and_the_tables_which_are_used(@TempDir Path directory) {
        try (ShopServer server = ShopServer.start(
                        "report", TestDatabase.inFile(directory.resolve("outbox")), "-Doutbox.table-prefix=shop_")
                .ready()) {
            Await.until("the report", 60, () -> server.log().contains("OUTBOX-0620 Outboxed is ready"), server::log);

            assertThat(server.log()).containsPattern("executor +java:app/concurrent/outbox\\R");
            assertThat(server.log()).contains("shop_*");
            long order = server.shop().order("tea");
            Await.until("it is shipped", 60, () -> server.shop().status(order).equals("SHIPPED"), server::log);
        }
    }
}

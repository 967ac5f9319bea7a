package io.outboxed.jms;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.servers.process.FreePort;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is found at the start. */
class SenderTest {
    private static final RealArtemis BROKER = RealArtemis.shared();
    private static final String CF = "java:/start/cf";
    private static final String QUEUE = "java:/start/queue";

    @Test
    void everything_that_is_missing_is_named_at_once() {
        Names.bind(QUEUE, BROKER.pool());
        Set<String> problems = atStart("java:/start/none", Map.of("a", QUEUE, "b", "java:/start/no-queue"));

        assertThat(problems).hasSize(3);
        assertThat(problems)
                .anySatisfy(problem -> assertThat(problem)
                        .startsWith("java:/start/none is not in JNDI. Define it in the server, or change"
                                + " outbox.jms.connection-factory"))
                .anySatisfy(problem -> assertThat(problem)
                        .startsWith("java:/start/no-queue is not in JNDI. Define it in the server, or change"
                                + " outbox.jms.route.*"))
                .anySatisfy(problem -> assertThat(problem)
                        .startsWith(QUEUE + " is a ")
                        .endsWith(", not a jakarta.jms.Destination. Change outbox.jms.route.*"));
    }

    @Test
    void a_broker_that_is_not_there_is_noticed_and_one_that_answers_is_no_problem() {
        Names.bind(CF, BROKER.pool());
        Names.bind(QUEUE, RealArtemis.queue("start"));
        assertThat(atStart(CF, Map.of("*", QUEUE))).isEmpty();

        Names.bind(CF, RealArtemis.pool("tcp://127.0.0.1:" + FreePort.any()));
        assertThat(atStart(CF, Map.of("*", QUEUE))).singleElement().asString().startsWith(CF + " gives ");
    }

    @Test
    void each_problem_of_an_outage_is_logged_once() {
        String changing = "java:/start/changing-cf";
        Names.bind(QUEUE, RealArtemis.queue("start"));
        Sender sender = new Sender(new JmsSettings(Map.of("*", QUEUE), changing, "/test", false));
        try (LoggedLines log = new LoggedLines()) {
            sender.checkAtStart();
            sender.checkAtStart();
            assertThat(log.with("OUTBOX-0895")).singleElement().asString().contains(changing + " is not in JNDI");

            Names.bind(changing, RealArtemis.pool("tcp://127.0.0.1:" + FreePort.any()));
            sender.checkAtStart();
            sender.checkAtStart();
            assertThat(log.with("OUTBOX-0895"))
                    .hasSize(2)
                    .last()
                    .asString()
                    .contains(changing + " gives ")
                    .doesNotContain("is not in JNDI");

            Names.bind(changing, RealArtemis.queue("no-factory"));
            sender.checkAtStart();
            Names.bind(changing, RealArtemis.pool("tcp://127.0.0.1:" + FreePort.any()));
            sender.checkAtStart();
            assertThat(log.with("OUTBOX-0895")).hasSize(3);
        }
    }

    private static Set<String> atStart(String connectionFactory, Map<String, String> routes) {
        return new Sender(new JmsSettings(routes, connectionFactory, "/test", false)).checkAtStart();
    }
}

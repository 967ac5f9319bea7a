package io.outboxed.internal.handlers;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.DeadLetter;
import io.outboxed.DeadLetters;
import io.outboxed.admin.DeadLetterFilter;
import io.outboxed.internal.metrics.CapturedLog;
import io.outboxed.internal.relay.SilentLog;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.RequestScoped;
import jakarta.enterprise.event.Observes;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The table of dead letters is gone: to read one fails, and is logged. */
@ExtendWith(SilentLog.class)
class DeadLetterAnnouncementTest {

    @ApplicationScoped
    static class Alarm {
        void died(@Observes DeadLetter letter) {}
    }

    @ApplicationScoped
    static class Protocol {
        void note(@Observes Record anything) {}
    }

    @ApplicationScoped
    static class Unconcerned {
        void note(@Observes Integer number) {}
    }

    @RequestScoped
    static class Pager {
        static final List<UUID> CALLED = new ArrayList<>();

        void died(@Observes DeadLetter letter) {
            CALLED.add(letter.messageId());
        }
    }

    @Test
    void an_observer_in_the_request_scope_is_called() {
        Pager.CALLED.clear();
        UUID id = new UUID(7, 1);
        try (Deployment deployed = Deployment.of(Pager.class)) {
            deployed.get(DeadLetters.class).count(DeadLetterFilter.all());
            deployed.database()
                    .update("INSERT INTO outbox_dead (message_id, handler, handler_group, seq, shard, lane, type,"
                            + " payload_size, registry_version, attempts, died_at, blocking)"
                            + " VALUES ('" + id + "', 'Mailer.send', 'Mailer', 1, 1, 1, 'placed', 0, 0, 5, 1, 0)");

            deployed.notifications().deadLettered(id, "Mailer.send");
        }
        assertThat(Pager.CALLED).containsExactly(id);
    }

    @Test
    void a_dead_letter_is_read_only_if_it_is_observed() {
        assertThat(logged(Unconcerned.class)).isEmpty();
        assertThat(logged(Alarm.class)).singleElement().asString().contains("OUTBOX-0595");
        assertThat(logged(Protocol.class)).singleElement().asString().contains("OUTBOX-0595");
    }

    private static List<String> logged(Class<?> observer) {
        try (Deployment deployed = Deployment.of(observer);
                CapturedLog log = new CapturedLog()) {
            deployed.get(DeadLetters.class).count(DeadLetterFilter.all());
            deployed.database().update("DROP TABLE outbox_dead");
            deployed.notifications().deadLettered(UUID.randomUUID(), "Mailer.send");
            return List.copyOf(log.lines);
        }
    }
}

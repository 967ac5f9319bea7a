package io.outboxed.internal.handlers;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.EventType;
import io.outboxed.HandlerGroup;
import io.outboxed.HandlerName;
import io.outboxed.OutboxMessage;
import io.outboxed.internal.relay.HandlerInvoker;
import io.outboxed.internal.store.HandlerKey;
import jakarta.ejb.Stateless;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class HandlerGroupTest {
    private static final String HERE = HandlerGroupTest.class.getName() + "$";

    @EventType("order.placed")
    record Placed(String order) {}

    @EventType("order.cancelled")
    record Cancelled(String order) {}

    @ApplicationScoped
    static class OrderView {
        void placed(@Observes Placed event) {}

        @HandlerName("view-of-cancelled")
        void cancelled(@Observes Cancelled event) {}

        @HandlerGroup("archive")
        void archive(@Observes Placed event) {}
    }

    @HandlerGroup("mails")
    @ApplicationScoped
    static class Confirmations {
        void mail(@Observes Placed event) {}

        @HandlerGroup("audit")
        void note(@Observes @EventType("order.placed") OutboxMessage message) {}
    }

    @Stateless
    static class Session {
        public void session(@Observes Cancelled event) {}
    }

    @HandlerGroup("mails")
    @Stateless
    static class Farewells {
        public void mail(@Observes Cancelled event) {}
    }

    abstract static class Base {
        void inherited(@Observes Placed event) {}
    }

    @ApplicationScoped
    static class OneChild extends Base {}

    @ApplicationScoped
    static class OtherChild extends Base {}

    @HandlerGroup("family")
    abstract static class Named {
        void inherited(@Observes Placed event) {}
    }

    @ApplicationScoped
    static class Heir extends Named {}

    @HandlerGroup("rebels")
    @ApplicationScoped
    static class Rebel extends Named {}

    private static Map<String, String> groups(Class<?>... beans) {
        try (Deployment deployment = Deployment.of(beans)) {
            HandlerInvoker deliveries = deployment.deliveries();
            return deliveries.all().stream().collect(Collectors.toMap(HandlerKey::handler, deliveries::group));
        }
    }

    @Test
    void a_group_is_the_bean_unless_the_class_or_the_method_says_otherwise() {
        assertThat(groups(OrderView.class, Confirmations.class, Session.class, Farewells.class))
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "OrderView.placed", "OrderView",
                        "view-of-cancelled", "OrderView",
                        "OrderView.archive", "archive",
                        "Confirmations.mail", "mails",
                        "Confirmations.note", "audit",
                        "Session.session", "Session",
                        "Farewells.mail", "mails"));
    }

    @Test
    void an_inherited_observer_belongs_to_the_bean_that_is_deployed() {
        assertThat(groups(OneChild.class, OtherChild.class, Heir.class, Rebel.class))
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "OneChild.inherited", "OneChild",
                        "OtherChild.inherited", "OtherChild",
                        "Heir.inherited", "family",
                        "Rebel.inherited", "rebels"));
    }

    @ApplicationScoped
    static class BadGroups {
        @HandlerGroup("")
        void blank(@Observes Placed event) {}

        @HandlerGroup("*")
        void star(@Observes Placed event) {}

        @HandlerGroup("?")
        void unknown(@Observes Placed event) {}

        @HandlerGroup("ware house")
        void withBlank(@Observes Placed event) {}

        @HandlerGroup("0123456789012345678901234567890123456789012345678901234567890123"
                + "0123456789012345678901234567890123456789012345678901234567890123x")
        void tooLong(@Observes Placed event) {}
    }

    @ApplicationScoped
    static class Bad$Name {
        @HandlerName("fine")
        void on(@Observes Placed event) {}
    }

    @ApplicationScoped
    static class TwoGroups {
        void on(@Observes Placed event) {}

        @HandlerGroup("apart")
        void on(@Observes Cancelled event) {}
    }

    static class Here {
        @ApplicationScoped
        static class Twin {
            void placed(@Observes Placed event) {}

            void also(@Observes Placed event) {}
        }
    }

    static class There {
        @ApplicationScoped
        static class Twin {
            void cancelled(@Observes Cancelled event) {}
        }
    }

    static class Elsewhere {
        @HandlerGroup("Twin")
        @ApplicationScoped
        static class Twin {
            void third(@Observes Cancelled event) {}
        }
    }

    @Test
    void invalid_groups_are_all_refused_at_once() {
        List<String> refusal =
                Deployment.refusal(BadGroups.class, Bad$Name.class, TwoGroups.class, Here.Twin.class, There.Twin.class);

        assertThat(refusal).hasSize(9);
        for (String group : List.of(
                "blank(Placed) has the handler group \"\"",
                "star(Placed) has the handler group \"*\"",
                "unknown(Placed) has the handler group \"?\"",
                "withBlank(Placed) has the handler group \"ware house\"",
                "tooLong(Placed) has the handler group \"0123")) {
            assertThat(refusal).anyMatch(line -> line.startsWith("  OUTBOX-0517 " + HERE + "BadGroups." + group));
        }
        assertThat(refusal)
                .anyMatch(
                        line -> line.startsWith("  OUTBOX-0517 " + HERE + "Bad$Name.on(Placed) has the handler group"))
                .anyMatch(line -> line.startsWith("  OUTBOX-0518 ")
                        && line.contains(HERE + "TwoGroups.on(Placed)")
                        && line.contains(HERE + "TwoGroups.on(Cancelled)")
                        && line.contains("the groups"))
                .anyMatch(line -> line.startsWith("  OUTBOX-0519 ")
                        && line.contains(HERE + "Here$Twin")
                        && line.contains(HERE + "There$Twin"));
    }

    @Test
    void a_handler_that_names_the_group_of_another_bean_joins_it() {
        assertThat(groups(Here.Twin.class, Elsewhere.Twin.class))
                .containsExactlyInAnyOrderEntriesOf(
                        Map.of("Twin.placed", "Twin", "Twin.also", "Twin", "Twin.third", "Twin"));
    }
}

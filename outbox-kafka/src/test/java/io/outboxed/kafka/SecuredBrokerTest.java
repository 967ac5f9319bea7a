package io.outboxed.kafka;

import static io.outboxed.kafka.Events.LEASE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.internal.store.cluster.Lease;
import io.outboxed.kafka.RecordSender.PendingSend;
import io.outboxed.servers.broker.RealKafka;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.acl.AclOperation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A broker that wants a password and has access control lists. Nothing here costs an attempt. */
class SecuredBrokerTest {
    private static final RealKafka KAFKA = RealKafka.shared();

    @Test
    void a_refused_login_is_named_without_the_password() {
        KAFKA.createTopic("behind-login");
        try (BrokerConnection connection = new BrokerConnection(settings("behind-login", "mistyped"))) {
            assertThatThrownBy(() -> send(connection, "behind-login"))
                    .isInstanceOf(BrokerNotReadyException.class)
                    .hasMessageContaining("it refuses the login (SaslAuthenticationException: Authentication failed")
                    .hasMessageContaining("Check outbox.kafka.sasl.*")
                    .hasMessageNotContaining("mistyped");
        }
    }

    @Test
    void a_topic_that_may_not_be_seen_is_named() {
        KAFKA.createTopic("hidden");
        KAFKA.allow("hidden", AclOperation.ALTER_CONFIGS);
        try (BrokerConnection connection = new BrokerConnection(settings("hidden", RealKafka.PASSWORD))) {
            assertThatThrownBy(() -> send(connection, "hidden"))
                    .isInstanceOf(BrokerNotReadyException.class)
                    .hasMessageContaining("topic hidden: this application has no permission to see it (DESCRIBE)");
        }
    }

    @Test
    void a_topic_without_the_right_to_write_is_written_to_as_soon_as_the_right_is_there_and_while_it_is() {
        KAFKA.createTopic("guarded");
        KAFKA.allow("guarded", AclOperation.DESCRIBE);
        try (BrokerConnection connection = new BrokerConnection(settings("guarded", RealKafka.PASSWORD))) {
            assertThatThrownBy(() -> send(connection, "guarded"))
                    .isInstanceOf(BrokerNotReadyException.class)
                    .hasMessageContaining("topic guarded: this application has no permission to write to it (WRITE)");

            KAFKA.allow("guarded", AclOperation.WRITE);
            Patience.until("an event is sent", () -> isSent(connection, "guarded"));

            KAFKA.disallow("guarded", AclOperation.WRITE);
            Patience.until("no event is sent", () -> !isSent(connection, "guarded"));
            assertThatThrownBy(() -> send(connection, "guarded")).isInstanceOf(BrokerNotReadyException.class);

            KAFKA.allow("guarded", AclOperation.WRITE);
            Patience.until("an event is sent again", () -> isSent(connection, "guarded"));
            assertThatCode(() -> send(connection, "guarded")).doesNotThrowAnyException();
        }
    }

    @Test
    void a_right_that_is_taken_away_on_one_topic_costs_events_for_others_nothing() {
        String revoked = "revoked";
        String other = "not-revoked";
        for (String topic : List.of(revoked, other)) {
            KAFKA.createTopic(topic);
            KAFKA.allow(topic, AclOperation.DESCRIBE);
            KAFKA.allow(topic, AclOperation.WRITE);
        }
        Map<String, String> more = Map.of(
                "client.id", revoked, "interceptor.classes", IoThreadInterceptor.class.getName(), "linger.ms", "1000");
        try (BrokerConnection connection = new BrokerConnection(settings(revoked, RealKafka.PASSWORD, false, more))) {
            Patience.until("both may be written to", () -> isSent(connection, revoked) && isSent(connection, other));
            List<Thread> producer = producerThreads(revoked);

            KAFKA.disallow(revoked, AclOperation.WRITE);
            AtomicReference<PendingSend> meanwhile = new AtomicReference<>();
            Patience.until("an event is refused", () -> {
                IoThreadInterceptor.next(() -> meanwhile.set(connection.send(record(other), LEASE, lease -> true)));
                return !isSent(connection, revoked);
            });
            meanwhile.get().call();
            send(connection, other);
            assertThat(producerThreads(revoked)).hasSize(1).isEqualTo(producer);
        }
    }

    private static List<Thread> producerThreads(String client) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(each -> each.getName().equals("kafka-producer-network-thread | " + client))
                .toList();
    }

    @Test
    void a_limit_that_the_brokers_do_not_tell_is_named_once_with_the_right_that_is_missing() {
        KAFKA.createTopic("guarded-limit");
        KAFKA.allow("guarded-limit", AclOperation.WRITE);
        TopicCheck check = new TopicCheck(settings("guarded-limit", RealKafka.PASSWORD));
        try (LoggedLines log = new LoggedLines()) {
            Patience.until("the brokers know of the right", () -> {
                assertThat(problems(check)).isEmpty();
                return !log.with("OUTBOX-0889").isEmpty();
            });
            assertThat(problems(check)).isEmpty();
            assertThat(log.with("OUTBOX-0889"))
                    .singleElement()
                    .asString()
                    .contains("topic guarded-limit")
                    .contains("DESCRIBE_CONFIGS on Topic");
        }
    }

    private static Map<String, String> problems(TopicCheck check) {
        try {
            return check.problems(List.of("guarded-limit"));
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void what_the_client_can_not_load_is_named(@TempDir Path directory) throws IOException, GeneralSecurityException {
        String missing = directory.resolve("missing.p12").toString();
        assertNamed(tls(missing, "hush"), "can't be made with the settings", "missing.p12", "NoSuchFileException");

        Path store = directory.resolve("store.p12");
        KeyStore empty = KeyStore.getInstance("PKCS12");
        empty.load(null, null);
        try (OutputStream file = Files.newOutputStream(store)) {
            empty.store(file, "right".toCharArray());
        }
        assertNamed(tls(store.toString(), "hush"), "store.p12", "UnrecoverableKeyException");

        assertNamed(Logins.jaas("org.example.Missing required password=\"hush\";"), "org.example.Missing");
        assertNamed(Map.of("interceptor.classes", "org.example.Missing"), "org.example.Missing");
    }

    @Test
    void a_login_that_can_not_be_read_is_named_without_the_password() {
        String module = "org.apache.kafka.common.security.plain.PlainLoginModule";
        for (String malformed : List.of(
                module + " required username=\"u\" password=\"ab\"hush\";",
                module + " required username=\"u\" password=\"ab\"\"hush'hush\";",
                module + " required username=\"u\" password=\"hush\"",
                module + " hush required username=\"u\";")) {
            assertNamed(Logins.jaas(malformed), "can't be made with the settings", "JAAS config");
        }
    }

    private static void assertNamed(Map<String, String> wrong, String... parts) {
        KAFKA.createTopicIfMissing("not-reached");
        try (BrokerConnection connection =
                new BrokerConnection(ForwardingNode.settings(KAFKA.address(), "not-reached", wrong))) {
            assertThatThrownBy(() -> send(connection, "not-reached"))
                    .isInstanceOf(BrokerNotReadyException.class)
                    .hasMessageContainingAll(parts)
                    .hasMessageNotContaining("hush");
        }
    }

    private static Map<String, String> tls(String truststore, String password) {
        return Map.of(
                "security.protocol",
                "SSL",
                "ssl.truststore.type",
                "PKCS12",
                "ssl.truststore.location",
                truststore,
                "ssl.truststore.password",
                password);
    }

    @Test
    void in_strict_mode_the_right_to_use_transactional_ids_is_needed_too_and_all_problems_are_named() {
        KAFKA.createTopic("strict-guarded");
        KAFKA.allow("strict-guarded", AclOperation.DESCRIBE);
        KAFKA.allowTransactionalIds("strict-guarded-", AclOperation.DESCRIBE);
        try (StrictSender sender = new StrictSender(settings("strict-guarded", RealKafka.PASSWORD, true))) {
            assertThatThrownBy(() -> send(sender, "strict-guarded"))
                    .isInstanceOf(BrokerNotReadyException.class)
                    .hasMessageContaining(
                            "topic strict-guarded: this application has no permission to write to it (WRITE)")
                    .hasMessageContaining("transactional ids strict-guarded-*: this application has no permission"
                            + " to use them (WRITE on TransactionalId, for all that begin with strict-guarded-)");

            KAFKA.allow("strict-guarded", AclOperation.WRITE);
            KAFKA.allowTransactionalIds("strict-guarded-", AclOperation.WRITE);
            Patience.until("an event is sent", () -> isSent(() -> send(sender, "strict-guarded")));
        }
    }

    @Test
    @Timeout(90)
    void a_right_that_only_the_check_has_is_missed_when_a_shards_producer_is_opened_and_is_named_once() {
        KAFKA.createTopic("strict-half");
        KAFKA.allowTransactionalIds("strict-half-", AclOperation.DESCRIBE);
        KAFKA.allowTransactionalIds("strict-half-check", AclOperation.WRITE);
        try (LoggedLines log = new LoggedLines();
                StrictSender sender = new StrictSender(settings("strict-half", RealKafka.PASSWORD, true))) {
            Patience.until("a shard's producer is refused", () -> {
                assertThat(isSent(() -> send(sender, "strict-half"))).isFalse();
                return isNamed(log, "the producer strict-half-5 can't be opened");
            });
            assertThat(isSent(() -> send(sender, "strict-half"))).isFalse();
            assertThat(log.with("OUTBOX-0890").stream().filter(line -> line.contains("strict-half-5")))
                    .singleElement()
                    .asString()
                    .contains("TransactionalIdAuthorizationException");

            KAFKA.allowTransactionalIds("strict-half-", AclOperation.WRITE);
            Patience.until("an event is sent", () -> isSent(() -> send(sender, "strict-half")));
        }
    }

    @Test
    void in_strict_mode_events_of_one_transaction_arrive_although_that_for_another_topic_is_refused() {
        String refused = "strict-refused";
        String good = "strict-not-refused";
        KAFKA.createTopic(refused);
        KAFKA.createTopic(good);
        KAFKA.allow(refused, AclOperation.DESCRIBE);
        KAFKA.allow(good, AclOperation.WRITE);
        KAFKA.allowTransactionalIds(refused, AclOperation.WRITE);
        KafkaSettings settings = settings(refused, RealKafka.PASSWORD, true);
        WritableTopics topics = new WritableTopics(settings, asked -> Map.of());
        Queue<Runnable> work = new ArrayDeque<>();
        ShardPipeline line = new ShardPipeline(
                lease -> FencingProducer.open(settings, lease, Runnable::run),
                work::add,
                new StrictFailures(settings, topics, new TransactionCheck(settings, Runnable::run)),
                settings.longestTransaction());
        Patience.until(
                "the rights are known",
                () -> isSent(
                        () -> inOneTransaction(line, work, List.of(good)).get(0).call()));

        List<StrictSend> events = inOneTransaction(line, work, List.of(good, refused, good));
        events.get(0).call();
        assertThatThrownBy(events.get(1)::call)
                .isInstanceOf(BrokerNotReadyException.class)
                .hasMessageContaining("topic " + refused)
                .hasMessageContaining("TopicAuthorizationException");
        events.get(2).call();
        line.close();
    }

    private static List<StrictSend> inOneTransaction(ShardPipeline line, Queue<Runnable> work, List<String> topics) {
        List<StrictSend> events = topics.stream()
                .map(topic ->
                        new StrictSend(record(topic), new Lease(5, "me", 1), lease -> true, Duration.ofSeconds(60)))
                .toList();
        events.forEach(line::add);
        work.remove().run();
        return events;
    }

    private static boolean isNamed(LoggedLines log, String problem) {
        return log.with("OUTBOX-0890").stream().anyMatch(line -> line.contains(problem));
    }

    private static void send(StrictSender sender, String topic) {
        sender.send(record(topic), new Lease(5, "me", 1), lease -> true).call();
    }

    private static boolean isSent(BrokerConnection connection, String topic) {
        return isSent(() -> send(connection, topic));
    }

    private static boolean isSent(Runnable send) {
        try {
            send.run();
            return true;
        } catch (BrokerNotReadyException e) {
            return false;
        }
    }

    private static void send(BrokerConnection connection, String topic) {
        connection.send(record(topic), LEASE, lease -> true).call();
    }

    private static ProducerRecord<byte[], byte[]> record(String topic) {
        return new ProducerRecord<>(topic, new byte[] {1});
    }

    private static KafkaSettings settings(String topic, String password) {
        return settings(topic, password, false);
    }

    private static KafkaSettings settings(String topic, String password, boolean strict) {
        return settings(topic, password, strict, Map.of());
    }

    private static KafkaSettings settings(String topic, String password, boolean strict, Map<String, String> more) {
        Map<String, String> all = new HashMap<>(more);
        all.putAll(Logins.withPassword(password));
        return ForwardingNode.settings(KAFKA.loginAddress(), topic, strict, all);
    }
}

package io.outboxed.faults.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The bytes are those of the drivers, one message after another. */
class ConversationTest {
    private static final String CLAIM =
            "UPDATE outbox_message SET version = version + 1 WHERE seq = $1 AND id = $2 AND version = $3";

    private final Conversation postgres = Conversation.with("postgresql");
    private final Conversation mySql = Conversation.with("mysql");

    @Test
    void a_statement_of_postgresql_is_heard_each_time_it_is_bound() {
        said(postgres, join(sslRequest(), startup()));
        assertThat(said(postgres, join(parse("S_1", CLAIM), bind("S_1")))).containsExactly(CLAIM);
        assertThat(said(postgres, join(bind("S_1"), bind("S_1")))).containsExactly(CLAIM, CLAIM);
        assertThat(said(postgres, typed('Q', text("COMMIT")))).containsExactly("COMMIT");
    }

    @Test
    void a_statement_without_a_name_is_that_of_the_last_parse() {
        said(postgres, startup());
        assertThat(said(postgres, join(parse("", "BEGIN"), bind(""), parse("", CLAIM), bind(""))))
                .containsExactly("BEGIN", CLAIM);
    }

    @Test
    void a_message_that_comes_in_pieces_is_heard_when_it_is_complete() {
        byte[] all = join(sslRequest(), startup(), parse("", CLAIM), bind(""));
        List<String> heard = new ArrayList<>();
        for (byte each : all) {
            heard.addAll(said(postgres, new byte[] {each}));
        }
        assertThat(heard).containsExactly(CLAIM);
    }

    @Test
    void a_query_of_mysql_is_heard_and_a_password_is_not() {
        byte[] handshake = packet(1, 3, "a response that begins like a query");
        assertThat(said(mySql, join(handshake, packet(0, 3, "commit"), packet(0, 14, ""))))
                .containsExactly("commit");
    }

    @Test
    void claims_acknowledgements_and_ends_of_transactions_are_told_apart() {
        assertThat(StatementKind.of(CLAIM)).isEqualTo(StatementKind.CLAIM);
        assertThat(List.of(
                        "DELETE FROM outbox_message WHERE seq = 7 AND id = x'00' AND version = 1",
                        "DELETE FROM outbox_message m WHERE m.seq = ANY ($1) AND (m.id = ANY ($2)) IS TRUE",
                        "DELETE m FROM (SELECT m.seq FROM (SELECT 1) k STRAIGHT_JOIN outbox_message m ON TRUE) f",
                        "INSERT INTO outbox_delivery (message_id, handler, seq, lane, shard, state) VALUES (1)"))
                .allMatch(sql -> StatementKind.of(sql) == StatementKind.ACK);
        assertThat(StatementKind.of("commit")).isEqualTo(StatementKind.COMMIT);
        assertThat(StatementKind.of("ROLLBACK")).isEqualTo(StatementKind.ROLLBACK);
        assertThat(StatementKind.of("INSERT INTO outbox_message (id) VALUES (1)"))
                .isEqualTo(StatementKind.OTHER);
        assertThat(StatementKind.of("DELETE FROM outbox_node WHERE owner = 1")).isEqualTo(StatementKind.OTHER);
    }

    private static List<String> said(Conversation conversation, byte[] bytes) {
        return conversation.said(bytes, bytes.length);
    }

    private static byte[] sslRequest() {
        return ByteBuffer.allocate(8).putInt(8).putInt(80877103).array();
    }

    private static byte[] startup() {
        byte[] user = join(text("user"), text("outbox"), new byte[1]);
        return join(
                ByteBuffer.allocate(8).putInt(8 + user.length).putInt(3 << 16).array(), user);
    }

    private static byte[] parse(String name, String sql) {
        return typed('P', join(text(name), text(sql), new byte[2]));
    }

    private static byte[] bind(String name) {
        return typed('B', join(text(""), text(name), new byte[6]));
    }

    private static byte[] typed(char type, byte[] content) {
        return join(
                new byte[] {(byte) type},
                ByteBuffer.allocate(4).putInt(4 + content.length).array(),
                content);
    }

    private static byte[] packet(int number, int code, String content) {
        byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
        return join(new byte[] {(byte) (bytes.length + 1), 0, 0, (byte) number, (byte) code}, bytes);
    }

    private static byte[] text(String content) {
        return join(content.getBytes(StandardCharsets.UTF_8), new byte[1]);
    }

    private static byte[] join(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }
}

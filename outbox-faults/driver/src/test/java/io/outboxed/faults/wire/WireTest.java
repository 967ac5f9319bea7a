package io.outboxed.faults.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WireTest {
    private static final String ACK = "DELETE FROM outbox_message WHERE seq = 1 AND id = 2 AND version = 3";

    private ServerSocket database;
    private Wire wire;
    private Socket client;
    private Socket behind;

    @BeforeEach
    void connect() throws IOException {
        database = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        wire = new Wire(database.getLocalPort(), () -> Conversation.with("mysql"));
        client = new Socket(InetAddress.getLoopbackAddress(), wire.port());
        behind = database.accept();
        for (Socket each : List.of(client, behind)) {
            each.setSoTimeout(10_000);
        }
    }

    @AfterEach
    void close() throws IOException {
        client.close();
        wire.close();
        database.close();
    }

    @Test
    void bytes_pass_in_both_directions() throws IOException {
        client.getOutputStream().write(1);
        assertThat(behind.getInputStream().read()).isEqualTo(1);
        behind.getOutputStream().write(2);
        assertThat(client.getInputStream().read()).isEqualTo(2);
    }

    @Test
    void a_cut_resets_what_is_open_and_lets_new_connections_pass() throws IOException {
        wire.cut();
        assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(IOException.class);
        try (Socket next = new Socket(InetAddress.getLoopbackAddress(), wire.port())) {
            next.getOutputStream().write(3);
            assertThat(database.accept().getInputStream().read()).isEqualTo(3);
        }
    }

    @Test
    void nothing_passes_a_silent_wire_until_the_silence_ends() throws IOException {
        wire.silent(true);
        client.getOutputStream().write(4);
        behind.setSoTimeout(300);
        assertThatThrownBy(() -> behind.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
        wire.silent(false);
        behind.setSoTimeout(10_000);
        assertThat(behind.getInputStream().read()).isEqualTo(4);
    }

    @Test
    void lost_answers_do_not_keep_requests_from_the_database() throws IOException {
        wire.loseAnswers(true);
        client.getOutputStream().write(5);
        assertThat(behind.getInputStream().read()).isEqualTo(5);
        behind.getOutputStream().write(6);
        client.setSoTimeout(300);
        assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
        wire.loseAnswers(false);
        client.setSoTimeout(10_000);
        assertThat(client.getInputStream().read()).isEqualTo(6);
    }

    @Test
    void a_wire_that_two_faults_have_silenced_is_silent_until_both_are_over() throws IOException {
        wire.silent(true);
        wire.silent(true);
        wire.silent(false);
        client.getOutputStream().write(7);
        behind.setSoTimeout(300);
        assertThatThrownBy(() -> behind.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
        wire.silent(false);
        behind.setSoTimeout(10_000);
        assertThat(behind.getInputStream().read()).isEqualTo(7);
    }

    @Test
    void lost_packets_arrive_late() throws IOException {
        wire.losePackets(1);
        client.getOutputStream().write(8);
        behind.setSoTimeout(300);
        assertThatThrownBy(() -> behind.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
        wire.losePackets(0);
        behind.setSoTimeout(10_000);
        assertThat(behind.getInputStream().read()).isEqualTo(8);
    }

    @Test
    void a_trap_before_an_acknowledgement_keeps_it_from_the_database() throws IOException {
        Trap trap = new Trap(Trap.Moment.BEFORE_ACK, 2);
        wire.set(trap);
        say(ACK);
        assertThat(behind.getInputStream().readNBytes(5 + ACK.length())).hasSize(5 + ACK.length());
        say(ACK);
        assertThat(trap.await(10_000)).isTrue();
        behind.setSoTimeout(300);
        assertThatThrownBy(() -> behind.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
    }

    @Test
    void a_trap_during_a_commit_lets_the_commit_of_an_acknowledgement_pass_and_holds_its_answer() throws IOException {
        Trap trap = new Trap(Trap.Moment.DURING_COMMIT, 1);
        wire.set(trap);
        converse("commit");
        converse(ACK);
        converse("SET autocommit=0");
        converse("commit");
        assertThat(trap.await(0)).as("of another transaction").isFalse();
        converse(ACK);
        say("commit");
        assertThat(behind.getInputStream().readNBytes(11)).hasSize(11);
        behind.getOutputStream().write(9);
        assertThat(trap.await(10_000)).isTrue();
        client.setSoTimeout(300);
        assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
        wire.set(null);
        client.setSoTimeout(10_000);
        assertThat(client.getInputStream().read()).isEqualTo(9);
    }

    private void converse(String sql) throws IOException {
        say(sql);
        assertThat(behind.getInputStream().readNBytes(5 + sql.length())).hasSize(5 + sql.length());
        behind.getOutputStream().write(1);
        assertThat(client.getInputStream().read()).isEqualTo(1);
    }

    /** As MySQL's driver does. */
    private void say(String sql) throws IOException {
        byte[] text = sql.getBytes(StandardCharsets.UTF_8);
        byte[] packet = new byte[5 + text.length];
        packet[0] = (byte) (text.length + 1);
        packet[4] = 3;
        System.arraycopy(text, 0, packet, 5, text.length);
        client.getOutputStream().write(packet);
    }
}

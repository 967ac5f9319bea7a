package io.outboxed.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WireTest {
    private ServerSocket database;
    private Wire wire;
    private Socket client;
    private Socket behind;

    @BeforeEach
    void connect() throws IOException {
        database = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        wire = new Wire(database.getLocalPort());
        client = new Socket(InetAddress.getLoopbackAddress(), wire.port());
        behind = database.accept();
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
}

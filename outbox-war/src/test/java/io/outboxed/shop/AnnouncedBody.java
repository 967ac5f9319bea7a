package io.outboxed.shop;

import io.outboxed.it.capture.ThisServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** A request with the length of a body that is never sent. No HTTP client sends a length of one's choice. */
final class AnnouncedBody {
    private static final int PATIENCE_MILLIS = 60_000;

    private AnnouncedBody() {}

    /**
     * @param authorization the header, or null
     * @return the status of the answer
     */
    static int post(URI address, String length, String authorization) {
        String head = "POST " + address.getRawPath() + " HTTP/1.1\r\nHost: " + address.getAuthority()
                + "\r\nContent-Type: application/json\r\nContent-Length: " + length
                + (authorization == null ? "" : "\r\nAuthorization: " + authorization) + "\r\n\r\n";
        try (Socket socket = new Socket(address.getHost(), address.getPort())) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
            String status = new BufferedReader(
                            new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
                    .readLine();
            return Integer.parseInt(status.split(" ")[1]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A server may refuse a huge body itself, whoever sends it. */
    static int refusal(int ours) {
        String servers = ThisServer.property("refusal-of-a-huge-body");
        return servers.isEmpty() ? ours : Integer.parseInt(servers);
    }
}

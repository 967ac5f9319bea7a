package io.outboxed.shop;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** Requests that no HTTP client sends. */
final class RawRequest {
    private static final int PATIENCE_MILLIS = 60_000;

    private RawRequest() {}

    /**
     * Gets what no URI can name.
     *
     * @param target behind the path of the root, as it is sent
     * @param authorization the header, or null
     * @return the status of the answer
     */
    static int get(URI root, String target, String authorization) {
        return status(
                root,
                "GET " + root.getRawPath() + target + " HTTP/1.1\r\nHost: " + root.getAuthority()
                        + (authorization == null ? "" : "\r\nAuthorization: " + authorization) + "\r\n\r\n");
    }

    static int status(URI server, String head) {
        try (Socket socket = new Socket(server.getHost(), server.getPort())) {
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
}

package io.outboxed.shop;

import io.outboxed.it.capture.ThisServer;
import java.net.URI;

/** A request with the length of a body that is never sent. No HTTP client sends a length of one's choice. */
final class AnnouncedBody {
    private AnnouncedBody() {}

    /**
     * @param authorization the header, or null
     * @return the status of the answer
     */
    static int post(URI address, String length, String authorization) {
        String head = "POST " + address.getRawPath() + " HTTP/1.1\r\nHost: " + address.getAuthority()
                + "\r\nContent-Type: application/json\r\nContent-Length: " + length
                + (authorization == null ? "" : "\r\nAuthorization: " + authorization) + "\r\n\r\n";
        return RawRequest.status(address, head);
    }

    /** A server may refuse a huge body itself, whoever sends it. */
    static int refusal(int ours) {
        String servers = ThisServer.property("refusal-of-a-huge-body");
        return servers.isEmpty() ? ours : Integer.parseInt(servers);
    }
}

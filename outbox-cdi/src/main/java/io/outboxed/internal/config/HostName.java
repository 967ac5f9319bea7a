package io.outboxed.internal.config;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** What people call the machine that this node runs on. */
final class HostName {

    private HostName() {}

    static String ofThisMachine() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            // a machine whose own name has no address says "name: reason"
            String message = String.valueOf(e.getMessage());
            return message.split(":", 2)[0].strip();
        }
    }
}

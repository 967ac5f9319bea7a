package io.outboxed.internal.config;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** The name of the machine that this node runs on. */
final class HostName {

    private HostName() {}

    static String ofThisMachine() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            // if the machine's own name can't be resolved, the message is "name: reason"
            String message = String.valueOf(e.getMessage());
            return message.split(":", 2)[0].strip();
        }
    }
}

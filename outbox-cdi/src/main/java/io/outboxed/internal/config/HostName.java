package io.outboxed.internal.config;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** The name of the machine that this node runs on. */
final class HostName {
    /** Asked once: the resolver may take seconds, and each health probe names its node. */
    private static final String OF_THIS_MACHINE = resolved();

    private HostName() {}

    static String ofThisMachine() {
        return OF_THIS_MACHINE;
    }

    private static String resolved() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            // if the machine's own name can't be resolved, the message is "name: reason"
            String message = String.valueOf(e.getMessage());
            return message.split(":", 2)[0].strip();
        }
    }
}

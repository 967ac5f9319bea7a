package io.outboxed.servers;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A queue of the message broker inside a server, {@code java:/jms/queue/<name>} in JNDI. A client outside reaches the
 * broker by the port, as the user {@code outbox} with that password.
 *
 * @param port on 127.0.0.1, for Artemis's own protocol
 */
public record ServerQueue(String name, int port) {
    private static final String USER = "outbox";

    /** For WildFly's command line: the full profile has the broker. */
    String script() {
        return """
                embed-server --server-config=%1$s
                jms-queue add --queue-address=%2$s --entries=java:/jms/queue/%2$s
                /socket-binding-group=standard-sockets/socket-binding=messaging:add(port=%3$d)
                /subsystem=messaging-activemq/server=default/remote-acceptor=netty:add(socket-binding=messaging)
                stop-embedded-server
                """.formatted(WildFlyHome.FULL, name, port);
    }

    /** The user's line in WildFly's file of users. */
    String user() {
        try {
            byte[] digest = MessageDigest.getInstance("MD5")
                    .digest((USER + ":ApplicationRealm:" + USER).getBytes(StandardCharsets.UTF_8));
            return USER + "=" + HexFormat.of().formatHex(digest) + "\n";
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The line in WildFly's file of roles that allows the user to send and to receive. */
    String role() {
        return USER + "=guest\n";
    }
}

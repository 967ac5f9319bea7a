package io.outboxed.ejb;

import jakarta.enterprise.context.ApplicationScoped;

/** How the application server names itself. */
@ApplicationScoped
class ServerName {
    private volatile String name = "unknown";

    void is(String newName) {
        name = newName;
    }

    String get() {
        return name;
    }
}

package io.outboxed.example;

import jakarta.enterprise.context.RequestScoped;

/** Who calls, and for whom. */
@RequestScoped
public class Caller {
    private String name = "";
    private String tenant = "";

    public String name() {
        return name;
    }

    public String tenant() {
        return tenant;
    }

    public void is(String newName, String newTenant) {
        name = newName;
        tenant = newTenant;
    }
}

package io.outboxed.it.refused;

import io.outboxed.it.refused.Misuse.Used;
import jakarta.enterprise.context.SessionScoped;
import jakarta.enterprise.event.Observes;
import java.io.Serializable;

/** A scope that no thread of the relay has. */
@SessionScoped
public class MisusedBasket implements Serializable {
    private static final long serialVersionUID = 1L;

    void add(@Observes Used event) {}
}

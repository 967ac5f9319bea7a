package io.outboxed.faults.app;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

/** An aggregate with a pessimistic lock: the second transaction waits for its row. */
@Entity
@Table(name = "faults_locked")
public class LockedAccount {

    @Id
    private long id;

    private long number;

    protected LockedAccount() {}

    /** The number of its next event. */
    long next() {
        return ++number;
    }
}

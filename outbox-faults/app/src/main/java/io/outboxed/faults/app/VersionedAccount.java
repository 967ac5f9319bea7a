package io.outboxed.faults.app;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import jakarta.persistence.Version;

/** An aggregate with a version: the second transaction fails at its commit. */
@Entity
@Table(name = "faults_versioned")
public class VersionedAccount {

    @Id
    private long id;

    private long number;

    @Version
    private int version;

    protected VersionedAccount() {}

    /** The number of its next event. */
    long next() {
        return ++number;
    }
}

package io.outboxed.it.capture;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import jakarta.persistence.Version;

/** An aggregate with optimistic locking: of two concurrent writers the later one fails. */
@Entity
@Table(name = "it_versioned_account")
public class VersionedAccount {

    @Id
    public String id;

    public int bookings;

    @Version
    public int version;
}

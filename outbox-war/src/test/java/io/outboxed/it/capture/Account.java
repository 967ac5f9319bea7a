package io.outboxed.it.capture;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

/** An aggregate that its writers lock. */
@Entity
@Table(name = "it_account")
public class Account {

    @Id
    public String id;

    public int bookings;
}

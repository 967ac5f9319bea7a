package io.outboxed.it.capture;

import jakarta.enterprise.inject.spi.CDI;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityListeners;
import jakarta.persistence.Id;
import jakarta.persistence.PostPersist;
import jakarta.persistence.Table;

/** What happened to an account, numbered while its lock was held. Each key can be booked once. */
@Entity
@Table(name = "it_booking")
@EntityListeners(Booking.Heard.class)
public class Booking {

    @Id
    @Column(length = 100)
    public String id;

    public String account;

    public int number;

    /** Publishes while the provider flushes. */
    public static class Heard {

        @PostPersist
        void booked(Booking booking) {
            if (booking.id.startsWith("heard")) {
                CDI.current().select(Ledger.class).get().publish(booking.account, booking.id + " listener");
            }
        }
    }
}

package org.example.lending;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

/** A reminder for a reader. Its id is the event's id, so a second reminder for the same loan can't exist. */
@Entity
@Table(name = "reminder")
public class Reminder {

    @Id
    private String id;

    @Column(nullable = false)
    private String book;

    @Column(nullable = false)
    private String reader;

    protected Reminder() {}

    Reminder(String id, String book, String reader) {
        this.id = id;
        this.book = book;
        this.reader = reader;
    }
}

package org.example.lending;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import jakarta.persistence.Version;

/** A loan: a book and the reader who has it. */
@Entity
@Table(name = "loan")
public class Loan {

    @Id
    private String book;

    @Column(nullable = false)
    private String reader;

    @Version
    private int version;

    protected Loan() {}

    Loan(String book, String reader) {
        this.book = book;
        this.reader = reader;
    }

    String reader() {
        return reader;
    }
}

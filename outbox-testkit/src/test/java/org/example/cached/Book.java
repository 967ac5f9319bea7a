package org.example.cached;

import jakarta.persistence.Cacheable;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

@Entity
@Cacheable
public class Book {
    @Id
    private String title;

    protected Book() {}

    Book(String title) {
        this.title = title;
    }
}

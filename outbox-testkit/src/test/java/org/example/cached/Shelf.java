package org.example.cached;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import jakarta.transaction.Transactional;

@ApplicationScoped
public class Shelf {
    @PersistenceContext(unitName = "cached")
    EntityManager em;

    @Transactional
    public void add(String title) {
        em.persist(new Book(title));
    }

    @Transactional
    public boolean has(String title) {
        return em.find(Book.class, title) != null;
    }

    @Transactional
    public long count() {
        return em.createQuery("select count(b) from Book b", Long.class)
                .setHint("org.hibernate.cacheable", true)
                .getSingleResult();
    }

    boolean isCached(String title) {
        return em.getEntityManagerFactory().getCache().contains(Book.class, title);
    }
}

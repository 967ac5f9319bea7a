package org.example.sessions;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;

@ApplicationScoped
public class Counting {
    @Inject
    Counter counter;
}

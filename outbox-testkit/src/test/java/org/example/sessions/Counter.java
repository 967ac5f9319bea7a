package org.example.sessions;

import jakarta.ejb.Stateless;

@Stateless
public class Counter {}

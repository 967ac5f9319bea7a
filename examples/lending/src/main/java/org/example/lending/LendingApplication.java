package org.example.lending;

import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.core.Application;

/** All resources are below {@code /api}. */
@ApplicationPath("api")
public class LendingApplication extends Application {}

package io.outboxed.shop;

import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.core.Application;

/** In the server: a REST application that serves every resource that the server finds in the WAR. */
@ApplicationPath("scanning")
public class ScanningApplication extends Application {}

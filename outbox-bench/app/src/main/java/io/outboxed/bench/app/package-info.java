/**
 * The application under load: handlers that do as little as possible, load generators, and an HTTP API for the figures.
 */
package io.outboxed.bench.app;

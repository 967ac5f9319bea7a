/** The application under load: handlers that do as little as possible, load generators, and figures over HTTP. */
package io.outboxed.bench.app;

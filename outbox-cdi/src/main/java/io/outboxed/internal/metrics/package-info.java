/** The metrics APIs: one is chosen at deployment, none is needed. Each class here that touches one is loaded only by the chooser. */
package io.outboxed.internal.metrics;

/** What is measured, and the metrics APIs: one is chosen at deployment, none is required. A class that touches one is loaded by the chooser only. */
package io.outboxed.internal.metrics;

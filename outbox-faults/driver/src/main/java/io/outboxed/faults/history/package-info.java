/** What has happened in a run, and whether the promises were kept. */
package io.outboxed.faults.history;

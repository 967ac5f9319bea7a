/**
 * The extension points: beans with which an application replaces or observes a part of the outbox. May change before
 * 1.0.
 */
package io.outboxed.spi;

/**
 * Capture in every kind of transaction, on a real server: start at {@code CaptureIT}; a new kind of transaction is a
 * {@code Teller}.
 */
package io.outboxed.it.capture;

/**
 * Capture in every kind of transaction, on a real server.
 *
 * <p>Start with {@code CaptureIT}; what a commit writes last is in {@code CommitTests}, and {@code BankTests} is the
 * fixture of both. A new kind of transaction is a {@code Teller}. {@code Ledger} is the business side, {@code Writes}
 * the database's own record of what was written in which order, and {@code ThisServer} what is specific to the server.
 */
package io.outboxed.it.capture;

/** A persistence unit with transactions of its own: see {@code LedgerTest}. */
package org.example.ledger;

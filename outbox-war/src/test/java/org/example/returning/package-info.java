/**
 * A second application, which {@code EarIT} puts into one EAR with {@code examples/lending}. {@code ReturnDesk}
 * publishes and {@code Shelf} handles; a change of either starts with {@code EarIT}.
 */
package org.example.returning;

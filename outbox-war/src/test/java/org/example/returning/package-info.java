/** A second application, which {@code EarIT} puts into one EAR with {@code examples/lending}. */
package org.example.returning;

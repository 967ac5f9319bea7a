/** An application that consumes forwarded events, as docs/kafka.md shows it. */
package org.example.billing;

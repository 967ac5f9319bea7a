/** The parts of the fault run that need no servers. A new fault: {@code PlanTest}. */
package io.outboxed.faults;

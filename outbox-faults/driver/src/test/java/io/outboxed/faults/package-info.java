/**
 * The parts of the fault run that need no servers. A new fault starts with {@code PlanTest}; the disk and clock faults
 * are tried in {@code DiskTest} and {@code WrongClockTest}. The checks of a finished run are in {@code history}, the
 * faults of the network in {@code wire}.
 */
package io.outboxed.faults;

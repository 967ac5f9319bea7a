package io.outboxed.admin;

import java.time.Instant;

/**
 * A pause that is in force.
 *
 * @param target what is paused
 * @param since when it began, on the database's clock
 * @param who the person or the program that paused it
 * @param why the reason, or an empty text
 */
public record Pause(PauseTarget target, Instant since, String who, String why) {}

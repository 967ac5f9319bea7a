/** What a class declares about its events. A change of the rules for types and ids starts with {@code EventTypesTest}. */
package io.outboxed.internal.capture.event;

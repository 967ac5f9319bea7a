/** What a class declares about its events: type, aggregate, id. */
package io.outboxed.internal.capture.event;

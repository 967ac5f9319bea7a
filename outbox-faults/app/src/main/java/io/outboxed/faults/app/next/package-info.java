/** What the next version of the application adds: a type of events, handlers for it, and a handler of existing types. */
package io.outboxed.faults.app.next;

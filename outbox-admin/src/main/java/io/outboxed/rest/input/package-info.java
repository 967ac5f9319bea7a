/** Reads and checks what is sent. */
package io.outboxed.rest.input;

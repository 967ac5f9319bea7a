/**
 * What the admin API accepts from a client. A new parameter, body field or limit starts with {@code InputTest}; the
 * messages that a client gets for wrong input are there, too.
 */
package io.outboxed.rest.input;

/**
 * Who may call what.
 *
 * <p>A new operation or role starts with {@code AdminOperationTest}, which compares the table of rights with the
 * resources. A change in how a request is admitted or refused starts with {@code AccessPolicyTest}, which tries each
 * role with each operation, or {@code RefusedRequestsTest}. None of them needs a server.
 */
package io.outboxed.rest.access;

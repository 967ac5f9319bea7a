/**
 * What an operator's statements read. A change of a list of what waits starts with {@code WaitingPagesTest}. What operators
 * do is in the contracts of {@code store} and of the module operator-contract.
 */
package io.outboxed.internal.operations;

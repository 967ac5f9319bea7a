/** Dead letters for operators, as a bean: {@link io.outboxed.DeadLetters} on top of the store. */
package io.outboxed.internal.deadletters;

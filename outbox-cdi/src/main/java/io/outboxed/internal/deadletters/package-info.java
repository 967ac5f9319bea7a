/** What operators do with dead letters, as a bean: {@link io.outboxed.DeadLetters} over the store. */
package io.outboxed.internal.deadletters;

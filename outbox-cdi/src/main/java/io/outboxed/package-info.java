/**
 * The transactional outbox for Jakarta EE and MicroProfile: annotate a business method with {@link io.outboxed.Outboxed},
 * observe its event with {@code @Observes}.
 */
package io.outboxed;

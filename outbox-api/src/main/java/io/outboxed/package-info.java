/**
 * The transactional outbox for Jakarta EE and MicroProfile: annotate a business method with {@link
 * io.outboxed.Outboxed}, observe its event with {@code @Observes}.
 *
 * <pre>{@code
 * @Outboxed @Transactional
 * public OrderPlaced place(Order order) {
 *     em.persist(order);
 *     return new OrderPlaced(order.id(), order.item());   // stored in this transaction
 * }
 *
 * @EventType("order.placed")                              // the stable name, even if the class is renamed
 * public record OrderPlaced(@AggregateId long orderId, String item) {}
 *
 * void ship(@Observes OrderPlaced event) { }              // after the commit, until it succeeds
 * }</pre>
 *
 * <p>To store events programmatically, use {@link io.outboxed.Outbox}; for effects that a repeated message must not
 * repeat, {@link io.outboxed.Inbox} and {@link io.outboxed.Idempotent}; for deliveries that were given up, {@link
 * io.outboxed.DeadLetters}; for operators, {@link io.outboxed.OutboxAdmin}; for the extension points, {@link
 * io.outboxed.spi}.
 */
package io.outboxed;

/**
 * Order within a handler group, in a server. Start with {@code GroupIT}; {@code AccountView} is the group and
 * {@code Letters} another one beside it. Without a server: {@code HandlerGroupTest} in {@code outbox-cdi}.
 */
package io.outboxed.it.group;

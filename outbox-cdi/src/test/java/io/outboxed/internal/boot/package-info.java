/**
 * The start of the relay inside a deployment. A change in how the relay connects to its database starts with
 * {@code DirectConnectionsTest}; a new cleanup or another background task starts with {@code MaintenanceTasksTest}.
 * What the start reports is tested in {@code internal.report}, and a real start by {@code outbox-war}.
 */
package io.outboxed.internal.boot;

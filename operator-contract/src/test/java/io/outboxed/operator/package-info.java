/** The Java API. {@code DeployedAdmin} has the beans that an application injects. */
package io.outboxed.operator;

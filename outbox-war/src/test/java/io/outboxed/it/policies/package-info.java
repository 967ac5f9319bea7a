/**
 * What happens to deliveries if settings say so, in a server: {@code PoliciesIT} publishes, and {@code Clerk} fails or
 * hangs.
 */
package io.outboxed.it.policies;

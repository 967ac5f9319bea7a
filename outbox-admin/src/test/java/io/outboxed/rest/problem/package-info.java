/**
 * Failures as a client sees them: the problem type, and whether to repeat the request. A new problem type or a change
 * in the mapping of exceptions starts with {@code AdminErrorsTest}. {@code AdminApiPageTest} in the package above
 * requires the new type in docs/admin-api.md.
 */
package io.outboxed.rest.problem;

/** Errors as problems of RFC 9457, with types that stay the same. */
package io.outboxed.rest.problem;

/**
 * Documents that the code has to agree with.
 */
package io.outboxed.docs;

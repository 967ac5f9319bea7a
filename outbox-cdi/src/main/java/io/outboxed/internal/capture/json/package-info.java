/** Payloads as JSON: the default codec, and the check of JSON that comes from elsewhere. */
package io.outboxed.internal.capture.json;

/**
 * Payloads as JSON. A change of the default codec starts with {@code JsonbPayloadCodecTest}, one of the check of JSON
 * that applications supply with {@code JsonTextTest}.
 */
package io.outboxed.internal.capture.json;

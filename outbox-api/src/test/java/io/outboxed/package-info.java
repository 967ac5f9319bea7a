/**
 * The public API. Any added, removed or changed public type or method starts with {@code PublicApiTest}, which
 * compares the API with {@code src/test/public-api.txt} and says how to update that file. {@code EventBatchTest} is
 * for {@code EventBatch} alone. What the API does is tested in {@code outbox-cdi}.
 */
package io.outboxed;

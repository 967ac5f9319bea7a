/**
 * The admin API's answers and its documents, without a server.
 *
 * <p>A new or changed operation starts with {@code AdminApiPageTest}, which compares docs/admin-api.md with the
 * resources. The JSON of an answer is in {@code AnswerTest}, the examples of the OpenAPI document are in
 * {@code ExampleTest}, ETags and If-Match in {@code ETagTest}, and the dead letter that they stand for in
 * {@code SeenLetterTest}. {@code RestArchitectureTest} limits what the jar may use. The API in a real server is tested
 * by {@code AdminIT} in {@code outbox-war}.
 */
package io.outboxed.rest;

/**
 * The packaged shop on a real server.
 *
 * <p>A change of the shop: {@code OrderTests}, which {@code ShopIT} runs on each database. What the library does
 * inside a server: {@code InContainerIT}. The admin API: {@code AdminIT}, and with tokens {@code JwtIT}. Starts, stops
 * and outages: {@code CrashIT}, {@code RestartIT}, {@code RedeployIT} and {@code OutageIT}. Claims by locks
 * and rows: {@code ClaimIT}. The test kit in a deployment: {@code OutboxTesterIT}.
 *
 * <p>Fixtures: {@code ServerExtension} prepares the server that Arquillian starts, {@code ShopServer} is a server in a
 * process of its own, {@code Shop} the shop over HTTP and {@code TestDatabase} its database.
 */
package io.outboxed.shop;

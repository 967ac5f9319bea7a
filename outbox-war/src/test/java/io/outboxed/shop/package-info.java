/**
 * The packaged shop on a real server. A change of the shop: {@code OrderTests}, which {@code ShopIT} runs on each
 * database; of what the library does inside a server: {@code InContainerIT}; of starts, stops and outages: the tests
 * that use {@code ShopServer}.
 */
package io.outboxed.shop;

/** The demo shop: an example of an application that uses Outboxed. It uses only the public API. */
package io.outboxed.shop;

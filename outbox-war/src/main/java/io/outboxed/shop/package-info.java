/** The demo shop: what an application that uses Outboxed looks like. It knows only the public API. */
package io.outboxed.shop;

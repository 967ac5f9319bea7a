/** Orders: what customers place and cancel, and the events that say so. */
package io.outboxed.shop.orders;

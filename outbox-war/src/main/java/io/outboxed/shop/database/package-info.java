/** Creates the shop's own tables, and logs what its database refuses. */
package io.outboxed.shop.database;

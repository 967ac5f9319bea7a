/** Who may use the admin API of the demo. */
package io.outboxed.shop.users;

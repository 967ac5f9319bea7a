/** The demo's user, without a server: start with {@code DemoUserTest}. {@code AdminAccessTests} log in to a server. */
package io.outboxed.shop.users;

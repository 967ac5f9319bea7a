/**
 * The test kit as an application uses it. A new or changed method of {@code OutboxTester} starts with
 * {@code OrdersTest}, {@code verifyOrder} with {@code OrderOfCallsTest}, a new attribute of {@code @OutboxTest} with
 * {@code SelectedBeansTest}. {@code Orders}, {@code Warehouse} and {@code Mailer} are the application. The kit inside a
 * server is tested by {@code OutboxTesterIT} in {@code outbox-war}.
 */
package org.example.orders;

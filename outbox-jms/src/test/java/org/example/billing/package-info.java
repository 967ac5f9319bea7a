/**
 * The consumer of docs/jms.md: {@code Billing}. {@code JmsPageTest} compares the page with it, so both change
 * together.
 */
package org.example.billing;

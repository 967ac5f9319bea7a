/** The handlers: mails and shipments that follow from orders. */
package io.outboxed.shop.fulfilment;

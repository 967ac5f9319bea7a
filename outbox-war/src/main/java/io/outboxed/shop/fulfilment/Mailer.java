package io.outboxed.shop.fulfilment;

import io.outboxed.OutboxMessage;
import io.outboxed.shop.orders.OrderCancelled;
import io.outboxed.shop.orders.OrderPlaced;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import jakarta.transaction.Transactional.TxType;

/**
 * An outside handler: a mail server can't take part in our transactions, so it runs without one and at least once. The
 * item {@code poison} always fails, {@code flaky} fails twice.
 */
@ApplicationScoped
public class Mailer {

    @Inject
    MailLog mailLog;

    @Transactional(TxType.NOT_SUPPORTED)
    void confirm(@Observes OrderPlaced event, OutboxMessage message) {
        refuse(event.item(), message.attempt());
        mailLog.append(new Mail(event.orderId(), message.id(), "We have your order", message.attempt()));
    }

    @Transactional(TxType.NOT_SUPPORTED)
    void goodbye(@Observes OrderCancelled event, OutboxMessage message) {
        mailLog.append(new Mail(event.orderId(), message.id(), "Your order is cancelled", message.attempt()));
    }

    private static void refuse(String item, int attempt) {
        if (item.equals("poison") || item.equals("flaky") && attempt <= 2) {
            throw new IllegalStateException(
                    "the mail server refused mails about \"" + item + "\" on attempt " + attempt);
        }
    }
}

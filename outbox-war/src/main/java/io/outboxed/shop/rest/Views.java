package io.outboxed.shop.rest;

import io.outboxed.DeadLetter;
import io.outboxed.shop.fulfilment.Mail;
import io.outboxed.shop.fulfilment.Shipment;
import io.outboxed.shop.orders.Order;
import io.outboxed.shop.orders.OrderPlaced;
import io.outboxed.shop.orders.OrderStatus;
import java.util.List;

/** What the shop shows, as it is written to JSON. */
public final class Views {

    private Views() {}

    public record OrderView(long id, String customer, String item, int quantity, OrderStatus status) {

        static OrderView of(Order order) {
            return new OrderView(order.id(), order.customer(), order.item(), order.quantity(), order.status());
        }

        static OrderView of(OrderPlaced placed) {
            return new OrderView(
                    placed.orderId(), placed.customer(), placed.item(), placed.quantity(), OrderStatus.PLACED);
        }
    }

    public record ShipmentView(long id, long order, String item, int quantity, Shipment.Direction direction) {

        static ShipmentView of(Shipment shipment) {
            return new ShipmentView(
                    shipment.id(), shipment.orderId(), shipment.item(), shipment.quantity(), shipment.direction());
        }
    }

    public record MailView(long id, long order, String subject, String messageId, int attempt) {

        static MailView of(Mail mail) {
            return new MailView(mail.id(), mail.orderId(), mail.subject(), mail.messageId(), mail.attempt());
        }
    }

    /** @param time of its death, on the database's clock, in UTC */
    public record DeadLetterView(
            String id, String type, String aggregate, String handler, int attempts, String error, String time) {

        static DeadLetterView of(DeadLetter letter) {
            return new DeadLetterView(
                    letter.messageId().toString(),
                    letter.type(),
                    letter.aggregateType() + "/" + letter.aggregateId(),
                    letter.handler(),
                    letter.attempts(),
                    letter.error(),
                    letter.diedAt().toString());
        }
    }

    /** Counts stop at {@link Counts#LIMIT}, those of the outbox where {@link io.outboxed.admin.OutboxStatus} says. */
    public record Overview(
            Counts counts,
            List<OrderView> orders,
            List<ShipmentView> shipments,
            List<MailView> mails,
            List<DeadLetterView> deadLetters) {}

    /** @param outbox messages that wait as a whole, and deliveries of the others */
    public record Counts(long orders, long placed, long outbox, long shipments, long mails, long deadLetters) {
        static final int LIMIT = 10_000;
    }
}

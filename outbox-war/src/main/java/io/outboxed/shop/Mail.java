package io.outboxed.shop;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.util.UUID;

/** A mail that went out. The message's id is what a receiver drops repeats by. */
@Entity
@Table(name = "shop_mail")
public class Mail {

    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    private Long id;

    @Column(name = "order_id")
    private long orderId;

    @Column(name = "message_id")
    private String messageId;

    private String subject;
    private int attempt;

    protected Mail() {}

    Mail(long orderId, UUID messageId, String subject, int attempt) {
        this.orderId = orderId;
        this.messageId = messageId.toString();
        this.subject = subject;
        this.attempt = attempt;
    }

    long id() {
        return id;
    }

    long orderId() {
        return orderId;
    }

    String messageId() {
        return messageId;
    }

    String subject() {
        return subject;
    }

    int attempt() {
        return attempt;
    }
}

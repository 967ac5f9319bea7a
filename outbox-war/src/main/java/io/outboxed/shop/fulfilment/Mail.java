package io.outboxed.shop.fulfilment;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.util.UUID;

/** A mail that was sent. Its receiver detects duplicates by the message's id. */
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

    public Mail(long orderId, UUID messageId, String subject, int attempt) {
        this.orderId = orderId;
        this.messageId = messageId.toString();
        this.subject = subject;
        this.attempt = attempt;
    }

    public long id() {
        return id;
    }

    public long orderId() {
        return orderId;
    }

    public String messageId() {
        return messageId;
    }

    public String subject() {
        return subject;
    }

    public int attempt() {
        return attempt;
    }
}

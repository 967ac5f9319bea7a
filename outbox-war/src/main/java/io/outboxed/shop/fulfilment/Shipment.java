package io.outboxed.shop.fulfilment;

import io.outboxed.shop.orders.Order;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

/** One row per parcel. It has no unique key on purpose, so that a parcel that is sent twice becomes visible. */
@Entity
@Table(name = "shop_shipment")
public class Shipment {

    /** Whether the parcel went out or came back. */
    public enum Direction {
        OUT,
        BACK
    }

    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    private Long id;

    @Column(name = "order_id")
    private long orderId;

    private String item;
    private int quantity;

    @Enumerated(EnumType.STRING)
    @Column(columnDefinition = "varchar(16)")
    private Direction direction;

    protected Shipment() {}

    Shipment(Order order, Direction direction) {
        this.orderId = order.id();
        this.item = order.item();
        this.quantity = order.quantity();
        this.direction = direction;
    }

    public long id() {
        return id;
    }

    public long orderId() {
        return orderId;
    }

    public String item() {
        return item;
    }

    public int quantity() {
        return quantity;
    }

    public Direction direction() {
        return direction;
    }
}

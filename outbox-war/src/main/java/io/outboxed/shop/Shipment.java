package io.outboxed.shop;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

/** One row per parcel. No unique key on purpose: a parcel that went out twice would be seen. */
@Entity
@Table(name = "shop_shipment")
public class Shipment {

    /** Which way the parcel went. */
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

    long id() {
        return id;
    }

    long orderId() {
        return orderId;
    }

    String item() {
        return item;
    }

    int quantity() {
        return quantity;
    }

    Direction direction() {
        return direction;
    }
}

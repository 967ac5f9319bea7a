package io.outboxed.shop.orders;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import jakarta.persistence.Version;

/** The aggregate. Its version serialises transactions on one order, and so the order's events too. */
@Entity
@Table(name = "shop_order")
public class Order {

    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    private Long id;

    private String customer;
    private String item;
    private int quantity;

    @Enumerated(EnumType.STRING)
    @Column(columnDefinition = "varchar(16)")
    private OrderStatus status = OrderStatus.PLACED;

    @Version
    private int version;

    protected Order() {}

    Order(NewOrder wanted) {
        this.customer = wanted.customer();
        this.item = wanted.item();
        this.quantity = wanted.quantity();
    }

    /** Returns whether this call shipped it; an order that was already cancelled or shipped stays as it is. */
    public boolean ship() {
        return move(OrderStatus.SHIPPED, status == OrderStatus.PLACED);
    }

    /** Returns whether this call cancelled it. */
    boolean cancel() {
        return move(OrderStatus.CANCELLED, status != OrderStatus.CANCELLED);
    }

    private boolean move(OrderStatus next, boolean allowed) {
        if (allowed) {
            status = next;
        }
        return allowed;
    }

    OrderPlaced placed() {
        return new OrderPlaced(id, customer, item, quantity);
    }

    OrderCancelled cancelled() {
        return new OrderCancelled(id, customer, item, quantity);
    }

    public long id() {
        return id;
    }

    public String customer() {
        return customer;
    }

    public String item() {
        return item;
    }

    public int quantity() {
        return quantity;
    }

    public OrderStatus status() {
        return status;
    }
}

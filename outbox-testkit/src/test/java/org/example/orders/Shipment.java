package org.example.orders;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;

@Entity
public class Shipment {

    @Id
    @GeneratedValue
    private Long id;

    private String orderId;

    private int quantity;

    protected Shipment() {}

    Shipment(String orderId, int quantity) {
        this.orderId = orderId;
        this.quantity = quantity;
    }

    String text() {
        return orderId + " x " + quantity;
    }
}

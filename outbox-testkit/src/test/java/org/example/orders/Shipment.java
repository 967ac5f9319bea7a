package org.example.orders;

import jakarta.persistence.ElementCollection;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;
import java.util.ArrayList;
import java.util.List;

@Entity
public class Shipment {

    @Id
    @GeneratedValue
    private Long id;

    private String orderId;

    private int quantity;

    @ElementCollection
    private List<String> labels = new ArrayList<>();

    protected Shipment() {}

    Shipment(String orderId, int quantity) {
        this.orderId = orderId;
        this.quantity = quantity;
        labels.add("fragile");
    }

    List<String> labels() {
        return List.copyOf(labels);
    }

    String text() {
        return orderId + " x " + quantity;
    }
}

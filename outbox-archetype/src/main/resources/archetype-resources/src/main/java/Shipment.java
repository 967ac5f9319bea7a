package ${package};

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

@Entity
@Table(name = "shipment")
public class Shipment {

    @Id
    private String orderId;

    @Column(nullable = false)
    private String item;

    protected Shipment() {}

    Shipment(String orderId, String item) {
        this.orderId = orderId;
        this.item = item;
    }
}

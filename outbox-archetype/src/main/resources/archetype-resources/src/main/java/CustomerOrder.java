package ${package};

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

@Entity
@Table(name = "customer_order")
public class CustomerOrder {

    @Id
    private String id;

    @Column(nullable = false)
    private String item;

    protected CustomerOrder() {}

    CustomerOrder(String id, String item) {
        this.id = id;
        this.item = item;
    }
}

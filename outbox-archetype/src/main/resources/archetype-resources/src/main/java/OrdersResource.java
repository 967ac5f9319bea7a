package ${package};

import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

@Path("orders/{id}")
@RequestScoped
@Produces(MediaType.TEXT_PLAIN)
public class OrdersResource {

    @Inject
    Orders orders;

    @Inject
    Warehouse warehouse;

    @POST
    public String place(@PathParam("id") String id, String item) {
        orders.place(id, item);
        return "placed\n";
    }

    @GET
    public String status(@PathParam("id") String id) {
        return warehouse.hasShipped(id) ? "shipped\n" : "not shipped\n";
    }
}

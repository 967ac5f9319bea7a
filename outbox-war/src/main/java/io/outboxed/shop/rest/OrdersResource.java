package io.outboxed.shop.rest;

import io.outboxed.shop.orders.Checkout;
import io.outboxed.shop.orders.OrderPlaced;
import io.outboxed.shop.orders.OrderService;
import io.outboxed.shop.orders.UnknownOrderException;
import io.outboxed.shop.rest.Views.OrderView;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.ClientErrorException;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/** Places, lists and cancels orders. */
@Path("orders")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
public class OrdersResource {

    @Inject
    Checkout checkout;

    @Inject
    OrderService orders;

    @Inject
    ShopReader reader;

    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    public Response place(InputStream body, @Context UriInfo here) throws IOException {
        OrderPlaced placed = checkout.buy(OrderForm.read(bounded(body)));
        return Response.created(here.getAbsolutePathBuilder()
                        .path(Long.toString(placed.orderId()))
                        .build())
                .entity(OrderView.of(placed))
                .build();
    }

    @GET
    public List<OrderView> recent(@QueryParam("before") String before, @QueryParam("limit") String limit) {
        return reader.orders(Query.id("before", before, Long.MAX_VALUE), Query.limit(limit));
    }

    @GET
    @Path("{id}")
    public OrderView one(@PathParam("id") String id) {
        return reader.order(orderId(id));
    }

    @POST
    @Path("{id}/cancel")
    public OrderView cancel(@PathParam("id") String id) {
        long order = orderId(id);
        orders.cancel(order);
        return reader.order(order);
    }

    private static long orderId(String id) {
        try {
            return Long.parseLong(id);
        } catch (NumberFormatException e) {
            throw new UnknownOrderException(id);
        }
    }

    private static byte[] bounded(InputStream body) throws IOException {
        byte[] bytes = body.readNBytes(OrderForm.MAX_BYTES + 1);
        if (bytes.length > OrderForm.MAX_BYTES) {
            throw new ClientErrorException(Response.Status.REQUEST_ENTITY_TOO_LARGE);
        }
        return bytes;
    }
}

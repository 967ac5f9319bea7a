package io.outboxed.shop.rest;

import io.outboxed.DeadLetters;
import io.outboxed.admin.DeadLetterFilter;
import io.outboxed.shop.rest.Views.DeadLetterView;
import io.outboxed.shop.rest.Views.MailView;
import io.outboxed.shop.rest.Views.ShipmentView;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.util.List;

/** What the handlers did, newest first: for one order, or the latest entries of all. */
@Path("")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
public class LogsResource {

    @Inject
    ShopReader reader;

    @Inject
    DeadLetters deadLetters;

    @GET
    @Path("shipments")
    public List<ShipmentView> shipments(@QueryParam("order") String order, @QueryParam("limit") String limit) {
        return reader.shipments(Query.id("order", order, ShopReader.ANY), Query.limit(limit));
    }

    @GET
    @Path("mails")
    public List<MailView> mails(@QueryParam("order") String order, @QueryParam("limit") String limit) {
        return reader.mails(Query.id("order", order, ShopReader.ANY), Query.limit(limit));
    }

    @GET
    @Path("dead-letters")
    public List<DeadLetterView> deadLetters(@QueryParam("limit") String limit) {
        return deadLetters.find(DeadLetterFilter.all(), null, Query.limit(limit)).letters().stream()
                .map(DeadLetterView::of)
                .toList();
    }
}

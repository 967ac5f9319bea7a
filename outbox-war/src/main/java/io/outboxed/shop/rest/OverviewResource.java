package io.outboxed.shop.rest;

import io.outboxed.DeadLetters;
import io.outboxed.OutboxAdmin;
import io.outboxed.admin.DeadLetterFilter;
import io.outboxed.shop.rest.Views.DeadLetterView;
import io.outboxed.shop.rest.Views.Overview;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

/** Everything that the page shows, in one request. */
@Path("overview")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
public class OverviewResource {

    private static final int ROWS = 20;

    @Inject
    ShopReader reader;

    @Inject
    OutboxAdmin admin;

    @Inject
    DeadLetters deadLetters;

    @GET
    public Overview overview() {
        return new Overview(
                reader.counts(admin.status()),
                reader.orders(Long.MAX_VALUE, ROWS),
                reader.shipments(ShopReader.ANY, ROWS),
                reader.mails(ShopReader.ANY, ROWS),
                deadLetters.find(DeadLetterFilter.all(), null, ROWS).letters().stream()
                        .map(DeadLetterView::of)
                        .toList());
    }
}

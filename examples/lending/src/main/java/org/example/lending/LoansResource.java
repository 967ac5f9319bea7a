package org.example.lending;

import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import jakarta.ws.rs.FormParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriBuilder;

/** Loans over HTTP, as plain text. */
@Path("loans")
@RequestScoped
@Produces(MediaType.TEXT_PLAIN)
public class LoansResource {

    @Inject
    Desk desk;

    @PersistenceContext(unitName = "lending")
    EntityManager em;

    @POST
    public Response lend(@FormParam("book") String book, @FormParam("reader") String reader) {
        desk.lend(book, reader);
        return Response.created(UriBuilder.fromPath("loans/{book}").build(book)).build();
    }

    @GET
    @Path("{book}")
    public String reader(@PathParam("book") String book) {
        Loan loan = em.find(Loan.class, book);
        if (loan == null) {
            throw new NotFoundException();
        }
        return loan.reader();
    }

    @GET
    @Path("{book}/reminders")
    public long reminders(@PathParam("book") String book) {
        return em.createQuery("select count(r) from Reminder r where r.book = :book", Long.class)
                .setParameter("book", book)
                .getSingleResult();
    }
}

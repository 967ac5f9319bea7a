package io.outboxed.shop.rest;

import io.outboxed.admin.OutboxStatus;
import io.outboxed.shop.fulfilment.Mail;
import io.outboxed.shop.fulfilment.Shipment;
import io.outboxed.shop.orders.Order;
import io.outboxed.shop.orders.UnknownOrderException;
import io.outboxed.shop.rest.Views.Counts;
import io.outboxed.shop.rest.Views.MailView;
import io.outboxed.shop.rest.Views.OrderView;
import io.outboxed.shop.rest.Views.ShipmentView;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import jakarta.transaction.Transactional;
import java.util.List;

/** Reads what the shop shows; always a bounded number of rows. */
@ApplicationScoped
@Transactional
public class ShopReader {

    /** Stands for every order. */
    static final long ANY = -1;

    @PersistenceContext(unitName = "shop")
    EntityManager em;

    public OrderView order(long id) {
        Order order = em.find(Order.class, id);
        if (order == null) {
            throw new UnknownOrderException(id);
        }
        return OrderView.of(order);
    }

    public List<OrderView> orders(long before, int limit) {
        return em.createQuery("select o from Order o where o.id < :before order by o.id desc", Order.class)
                .setParameter("before", before)
                .setMaxResults(limit)
                .getResultStream()
                .map(OrderView::of)
                .toList();
    }

    public List<ShipmentView> shipments(long order, int limit) {
        return newest(Shipment.class, order, limit).stream()
                .map(ShipmentView::of)
                .toList();
    }

    public List<MailView> mails(long order, int limit) {
        return newest(Mail.class, order, limit).stream().map(MailView::of).toList();
    }

    private <T> List<T> newest(Class<T> log, long order, int limit) {
        String where = order == ANY ? "" : " where r.orderId = :order";
        var query = em.createQuery("select r from " + log.getSimpleName() + " r" + where + " order by r.id desc", log);
        if (order != ANY) {
            query.setParameter("order", order);
        }
        return query.setMaxResults(limit).getResultList();
    }

    public Counts counts(OutboxStatus outbox) {
        return new Counts(
                count("shop_order"),
                count("shop_order where status = 'PLACED'"),
                outbox.ready() + outbox.parked() + outbox.waiting() + outbox.blocked(),
                count("shop_shipment"),
                count("shop_mail"),
                outbox.dead());
    }

    private long count(String rows) {
        String sql = "select count(*) from (select 1 as one from " + rows + " limit " + Counts.LIMIT + ") counted";
        return ((Number) em.createNativeQuery(sql).getSingleResult()).longValue();
    }
}

package org.example.billing;

import io.outboxed.Inbox;
import jakarta.ejb.ActivationConfigProperty;
import jakarta.ejb.EJBException;
import jakarta.ejb.MessageDriven;
import jakarta.inject.Inject;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;

@MessageDriven(
        activationConfig = {
            @ActivationConfigProperty(propertyName = "destinationLookup", propertyValue = "java:/jms/queue/orders"),
            @ActivationConfigProperty(propertyName = "destinationType", propertyValue = "jakarta.jms.Queue")
        })
public class Billing implements MessageListener {
    @Inject
    Inbox inbox;

    @PersistenceContext(unitName = "billing")
    EntityManager em;

    @Override
    public void onMessage(Message message) { // in the bean's transaction
        try {
            String order = message.getStringProperty("cloudEvents_subject");
            inbox.once(message.getStringProperty("cloudEvents_id"), "billing", () -> bill(order));
        } catch (JMSException e) {
            throw new EJBException(e);
        }
    }

    private void bill(String order) {
        em.createNativeQuery("INSERT INTO bill (order_id) VALUES (?1)")
                .setParameter(1, order)
                .executeUpdate();
    }
}

package io.outboxed.shop;

import jakarta.json.JsonObject;
import java.util.List;

/** The shop, and its admin API as different users see it. */
interface AdminFixture {
    Shop shop();

    /** @param user null for somebody who has not logged in */
    AdminClient as(String user);

    default AdminClient operator() {
        return as("operator");
    }

    default JsonObject awaitDeadLetter(long order) {
        Await.until("the dead letter of order " + order, 60, () -> deadLetter(order) != null);
        return deadLetter(order);
    }

    /** @return null if there is none */
    default JsonObject deadLetter(long order) {
        List<JsonObject> letters = operator()
                .get("dead-letters?aggregateType=order&aggregateId=" + order)
                .json()
                .getJsonArray("letters")
                .getValuesAs(JsonObject.class);
        return letters.isEmpty() ? null : letters.get(0);
    }
}

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

    /** A bulk operation is refused while another one may select the same. */
    default void endOperations() {
        operator().get("operations").json().getJsonArray("operations").getValuesAs(JsonObject.class).stream()
                .filter(operation -> operation.getString("state").equals("RUNNING"))
                .forEach(operation -> operator()
                        .post("operations/" + operation.getString("id") + "/cancel", "{\"reason\":\"tested\"}"));
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

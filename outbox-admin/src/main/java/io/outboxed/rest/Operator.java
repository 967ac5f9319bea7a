package io.outboxed.rest;

import io.outboxed.admin.Attribution;
import io.outboxed.rest.access.CurrentRequest;
import io.outboxed.rest.input.Input;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;

/** Who makes the current request. */
@RequestScoped
public class Operator {

    @Inject
    CurrentRequest request;

    /** Asks for a reason; null if it is missing. */
    Attribution because(Input input) {
        String why = input.requiredText("reason", Attribution.MAX_WHY);
        return why == null ? null : new Attribution(name(), "rest", why);
    }

    String name() {
        String user = request.user();
        if (user.length() <= Attribution.MAX_WHO) {
            return user;
        }
        boolean splitsPair = Character.isHighSurrogate(user.charAt(Attribution.MAX_WHO - 1));
        return user.substring(0, splitsPair ? Attribution.MAX_WHO - 1 : Attribution.MAX_WHO);
    }
}

package io.outboxed.internal.relay;

import java.util.HashSet;
import java.util.Set;

/** How the handlers of a simulation behave at present, on all its nodes. */
final class HandlerMoods {
    /** Once healed, no message harms its handler any more. */
    private boolean healed;

    private int failures;
    private int lostClaims;
    private int lostAnswers;
    private int deferrals;
    private final Set<String> down = new HashSet<>();

    /** All of them per thousand calls. */
    HandlerMoods(int failures, int lostClaims, int lostAnswers, int deferrals) {
        this.failures = failures;
        this.lostClaims = lostClaims;
        this.lostAnswers = lostAnswers;
        this.deferrals = deferrals;
    }

    /** Nothing fails any more, whatever the text of a message asks for. */
    void heal() {
        healed = true;
        failures = 0;
        lostClaims = 0;
        lostAnswers = 0;
        deferrals = 0;
        down.clear();
    }

    boolean obeys(String text, String what, String handler) {
        return !healed && text.equals(what + handler);
    }

    void down(String handler, boolean isDown) {
        if (isDown) {
            down.add(handler);
        } else {
            down.remove(handler);
        }
    }

    boolean isDown(String handler) {
        return down.contains(handler);
    }

    int failures() {
        return failures;
    }

    int lostClaims() {
        return lostClaims;
    }

    int lostAnswers() {
        return lostAnswers;
    }

    int deferrals() {
        return deferrals;
    }
}

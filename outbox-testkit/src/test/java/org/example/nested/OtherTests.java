package org.example.nested;

import io.outboxed.testkit.OutboxTest;
import jakarta.enterprise.context.ApplicationScoped;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** Tests of other applications, with beans of their own. */
final class OtherTests {
    private OtherTests() {}

    @OutboxTest
    static class Annotated {
        @ApplicationScoped
        static class Fake implements Rates {
            @Override
            public int rate() {
                return 3;
            }
        }
    }

    @OutboxTest
    @Retention(RetentionPolicy.RUNTIME)
    @interface ShopTest {}

    @ShopTest
    static class Composed {
        @ApplicationScoped
        static class Fake implements Rates {
            @Override
            public int rate() {
                return 4;
            }
        }
    }

    @ShopTest
    abstract static class WithFakeRates {
        @ApplicationScoped
        static class Fake implements Rates {
            @Override
            public int rate() {
                return 5;
            }
        }
    }
}

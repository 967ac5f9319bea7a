package io.outboxed.rest;

/** Bodies of requests, as the OpenAPI document shows them. */
final class Example {
    static final String RETRY = """
            {"handler":"order-mail","reason":"mail is back"}""";

    static final String REPLAY = """
            {"handler":"order-mail","allowReordering":true,"reason":"mail is back"}""";

    static final String DISCARD = """
            {"handler":"order-mail","reason":"sent by hand"}""";

    static final String EDIT = """
            {"handler":"order-mail","payload":"{\\"orderId\\":\\"4711\\"}","allowReordering":true,\
            "reason":"address was wrong"}""";

    static final String PREVIEW = """
            {"filter":{"handler":"order-mail"}}""";

    static final String REPLAY_MANY = """
            {"filter":{"handler":"order-mail","until":"2026-01-31T12:00:00.000001Z"},"perSecond":20,\
            "allowReordering":true,"reason":"mail is back"}""";

    static final String DISCARD_MANY = """
            {"filter":{"handler":"order-mail","until":"2026-01-31T12:00:00.000001Z"},"perSecond":20,\
            "reason":"mails were sent by hand"}""";

    static final String RETRY_MANY = """
            {"filter":{"handler":"order-mail","until":"2026-01-31T12:00:00.000001Z"},"perSecond":20,\
            "reason":"mail is back"}""";

    static final String CANCEL = """
            {"reason":"wrong handler"}""";

    static final String PREVIEW_DROP = """
            {"handler":"Warehouse.ship","retire":true}""";

    static final String DROP_DELIVERIES = """
            {"handler":"Warehouse.ship","retire":true,"limit":1000,"reason":"parcels are sent by a partner"}""";

    static final String PAUSE = """
            {"kind":"handler","name":"order-mail","reason":"mail server is replaced"}""";

    static final String PAUSE_EVERYTHING = """
            {"reason":"database is moved"}""";

    static final String RESUME = """
            {"kind":"handler","name":"order-mail","reason":"mail server is back"}""";

    private Example() {}
}

package io.outboxed.internal.capture;

import io.outboxed.OutboxException;
import io.outboxed.internal.capture.json.JsonText;
import io.outboxed.internal.config.OutboxConfig;

/** Checks the text that an operator has written as a payload, as if it were published. */
public final class EditedPayload {
    private static final String WHAT = "the new payload";

    private EditedPayload() {}

    /**
     * @return its size in bytes
     * @throws IllegalArgumentException if it could not be published
     */
    public static int size(String text, OutboxConfig.Payload limits) {
        try {
            long bytes = StorableText.utf8Bytes(text, WHAT);
            if (bytes > limits.maxBytes()) {
                throw new IllegalArgumentException(WHAT + " has " + bytes + " bytes, outbox.payload.max-bytes is "
                        + limits.maxBytes() + "; nothing was changed");
            }
            if (limits.validate() && !limits.binary()) {
                JsonText.require(text, WHAT);
            }
            return (int) bytes;
        } catch (OutboxException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }
}

package io.outboxed.admin;

/**
 * An event's content, as stored. It may contain personal data: show it only to those who may see it.
 *
 * @param headers a JSON object, or null
 * @param text the payload of a text event; null for a binary one
 * @param bytes the payload of a binary event; null for a text one. Not copied
 */
public record EventContent(String headers, String text, byte[] bytes) {

    /**
     * Never contains the payload or the headers, because it may be logged.
     *
     * @return which kind of payload it is, and its length
     */
    @Override
    public String toString() {
        return "EventContent[" + (bytes == null ? length(text) + " characters" : bytes.length + " bytes") + "]";
    }

    private static int length(String text) {
        return text == null ? 0 : text.length();
    }
}

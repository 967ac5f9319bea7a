package io.outboxed.admin;

/**
 * An event's content, as stored. It may contain personal data: show it only to those who may see it.
 *
 * @param headers a JSON object, or null
 * @param text the payload of a text event; null for a binary one
 * @param bytes the payload of a binary event; null for a text one. Not copied
 */
public record EventContent(String headers, String text, byte[] bytes) {}

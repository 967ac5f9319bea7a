package io.outboxed.shop;

import jakarta.json.Json;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.UUID;

/** Logs in users elsewhere, and signs tokens that say who they are (RS256). */
record TokenIssuer(String name, KeyPair keys) {
    private static final Duration LIFE = Duration.ofMinutes(10);

    /** With a new key. */
    static TokenIssuer named(String name) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(2048);
            return new TokenIssuer(name, generator.generateKeyPair());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has RSA", e);
        }
    }

    /** As a file in PEM format. */
    String publicKey() {
        return "-----BEGIN PUBLIC KEY-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'})
                        .encodeToString(keys.getPublic().getEncoded())
                + "\n-----END PUBLIC KEY-----\n";
    }

    String token(String user, String... groups) {
        return tokenOf(Instant.now(), user, groups);
    }

    String tokenOf(Instant issued, String user, String... groups) {
        String claims = Json.createObjectBuilder()
                .add("iss", name)
                .add("sub", "7f3a")
                .add("upn", user)
                .add("groups", Json.createArrayBuilder(List.of(groups)))
                .add("jti", UUID.randomUUID().toString())
                .add("iat", issued.getEpochSecond())
                .add("exp", issued.plus(LIFE).getEpochSecond())
                .build()
                .toString();
        String signed = base64("{\"alg\":\"RS256\",\"typ\":\"JWT\"}") + "." + base64(claims);
        return signed + "." + Base64.getUrlEncoder().withoutPadding().encodeToString(signature(signed));
    }

    private byte[] signature(String text) {
        try {
            Signature signature = Signature.getInstance("SHA256withRSA");
            signature.initSign(keys.getPrivate());
            signature.update(text.getBytes(StandardCharsets.UTF_8));
            return signature.sign();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String base64(String text) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}

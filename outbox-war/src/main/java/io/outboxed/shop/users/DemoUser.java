package io.outboxed.shop.users;

import io.outboxed.shop.database.ShopLog;
import jakarta.annotation.PostConstruct;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.Initialized;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.security.enterprise.credential.Credential;
import jakarta.security.enterprise.credential.UsernamePasswordCredential;
import jakarta.security.enterprise.identitystore.CredentialValidationResult;
import jakarta.security.enterprise.identitystore.IdentityStore;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Set;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * The demo's operator. Its password is generated at each start and logged once; without the admin API there is no user.
 */
@ApplicationScoped
public class DemoUser implements IdentityStore {
    private static final String NAME = "demo";
    private static final Set<String> ROLES = Set.of("outbox-operator", "outbox-editor", "outbox-admin");
    private static final int PASSWORD_BYTES = 18;

    @Inject
    @ConfigProperty(name = "outbox.admin.enabled", defaultValue = "false")
    boolean enabled;

    private byte[] password;

    void create(@Observes @Initialized(ApplicationScoped.class) Object start) {
        // being called is enough
    }

    @PostConstruct
    void generatePassword() {
        if (enabled) {
            byte[] random = new byte[PASSWORD_BYTES];
            new SecureRandom().nextBytes(random);
            String text = Base64.getUrlEncoder().encodeToString(random);
            password = text.getBytes(StandardCharsets.UTF_8);
            ShopLog.demoUser(NAME, text);
        }
    }

    boolean exists() {
        return password != null;
    }

    @Override
    public CredentialValidationResult validate(Credential credential) {
        boolean valid = exists()
                && credential instanceof UsernamePasswordCredential given
                && given.getCaller().equals(NAME)
                && MessageDigest.isEqual(given.getPasswordAsString().getBytes(StandardCharsets.UTF_8), password);
        return valid ? new CredentialValidationResult(NAME, ROLES) : CredentialValidationResult.INVALID_RESULT;
    }
}

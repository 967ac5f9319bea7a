package io.outboxed.shop;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.security.enterprise.credential.Credential;
import jakarta.security.enterprise.credential.UsernamePasswordCredential;
import jakarta.security.enterprise.identitystore.CredentialValidationResult;
import jakarta.security.enterprise.identitystore.IdentityStore;
import java.util.Set;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** In the server: a user for each role, named like it, and one without any. */
@ApplicationScoped
public class AdminUsers implements IdentityStore {
    static final String PASSWORD = "it.admin.password";

    @Inject
    @ConfigProperty(name = PASSWORD)
    String password;

    @Override
    public CredentialValidationResult validate(Credential credential) {
        if (!(credential instanceof UsernamePasswordCredential given)
                || !given.getPasswordAsString().equals(password)) {
            return CredentialValidationResult.INVALID_RESULT;
        }
        String name = given.getCaller();
        return new CredentialValidationResult(name, name.equals("nobody") ? Set.of("guest") : Set.of("outbox-" + name));
    }
}

package io.outboxed.shop.users;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.security.enterprise.AuthenticationStatus;
import jakarta.security.enterprise.authentication.mechanism.http.HttpAuthenticationMechanism;
import jakarta.security.enterprise.authentication.mechanism.http.HttpMessageContext;
import jakarta.security.enterprise.credential.BasicAuthenticationCredential;
import jakarta.security.enterprise.credential.Credential;
import jakarta.security.enterprise.identitystore.CredentialValidationResult;
import jakarta.security.enterprise.identitystore.CredentialValidationResult.Status;
import jakarta.security.enterprise.identitystore.IdentityStoreHandler;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Optional;

/**
 * Logs in by name and password (HTTP Basic). A wrong password is no login, and no error: the admin API answers it, and
 * the shop does not care. Open Liberty's own mechanism would answer it with 401 on every path, even while there is no
 * user at all.
 */
@ApplicationScoped
public class DemoLogin implements HttpAuthenticationMechanism {
    private static final String SCHEME = "Basic ";

    @Inject
    DemoUser user;

    @Inject
    IdentityStoreHandler users;

    @Override
    public AuthenticationStatus validateRequest(
            HttpServletRequest request, HttpServletResponse response, HttpMessageContext context) {
        Optional<CredentialValidationResult> login = user.exists()
                ? credential(request.getHeader("Authorization"))
                        .map(users::validate)
                        .filter(result -> result.getStatus() == Status.VALID)
                : Optional.empty();
        return login.map(context::notifyContainerAboutLogin).orElseGet(context::doNothing);
    }

    private static Optional<Credential> credential(String header) {
        if (header == null || !header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return Optional.empty();
        }
        try {
            return Optional.of(new BasicAuthenticationCredential(
                    header.substring(SCHEME.length()).strip()));
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            return Optional.empty();
        }
    }
}

package io.outboxed.shop;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.shop.AdminClient.Answer;
import java.io.File;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.jboss.shrinkwrap.api.importer.ZipImporter;
import org.jboss.shrinkwrap.api.spec.JavaArchive;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The admin API with MicroProfile JWT: the groups of a token are the roles. */
@ExtendWith({ServerExtension.class, ArquillianExtension.class})
class JwtIT implements AdminRoleTests {
    private static final TokenIssuer ISSUER = TokenIssuer.named("https://login.example");
    private static final String USERS = "/WEB-INF/classes/io/outboxed/shop/users/";

    /** Without the login of the demo: an application has one way to log in. */
    @Deployment(testable = false)
    static WebArchive war() {
        WebArchive war = ShrinkWrap.create(ZipImporter.class, "outbox.war")
                .importFrom(new File(System.getProperty("it.war")))
                .as(WebArchive.class);
        war.delete(USERS + "DemoLogin.class");
        war.delete(USERS + "DemoUser.class");
        return war.addClass(JwtApplication.class)
                .addAsResource(new StringAsset(ISSUER.publicKey()), "jwt-key.pem")
                .addAsLibrary(ShrinkWrap.create(JavaArchive.class, "settings.jar")
                        .addAsManifestResource(new StringAsset("""
                                outbox.admin.enabled=true
                                outbox.admin.edit=true
                                outbox.admin.challenge=Bearer
                                mp.jwt.verify.issuer=https://login.example
                                mp.jwt.verify.publickey.location=/jwt-key.pem
                                """), "microprofile-config.properties"));
    }

    @BeforeAll
    static void deployed() {
        Await.until(
                "the WAR is deployed; the server's log in this test's output says why not",
                30,
                () -> Shop.at(ServerExtension.port()).deployed());
    }

    @Override
    public AdminClient as(String user) {
        return with(ISSUER.token(user, "everyone", "outbox-" + user));
    }

    private static AdminClient anonymous() {
        return AdminClient.anonymous(ServerExtension.port());
    }

    private static AdminClient with(String token) {
        return anonymous().withToken(token);
    }

    @Test
    void who_has_no_token_is_asked_for_one() {
        Answer answer = anonymous().get("status");

        assertThat(answer.status()).as(answer.body()).isEqualTo(401);
        assertThat(answer.header("WWW-Authenticate")).startsWith("Bearer");
    }

    static Stream<Arguments> a_token_that_is_not_valid_logs_in_nobody() {
        String[] valid = ISSUER.token("admin", "outbox-admin").split("\\.");
        String[] other = ISSUER.token("viewer", "outbox-viewer").split("\\.");
        Instant yesterday = Instant.now().minus(Duration.ofDays(1));
        TokenIssuer forger = TokenIssuer.named(ISSUER.name());
        TokenIssuer stranger = new TokenIssuer("https://other.example", ISSUER.keys());
        return Stream.of(
                Arguments.of("signed with another key", forger.token("admin", "outbox-admin")),
                Arguments.of("another token's signature", valid[0] + "." + valid[1] + "." + other[2]),
                Arguments.of("no signature", valid[0] + "." + valid[1] + "."),
                Arguments.of("expired", ISSUER.tokenOf(yesterday, "admin", "outbox-admin")),
                Arguments.of("of another issuer", stranger.token("admin", "outbox-admin")),
                Arguments.of("no token", "admin"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void a_token_that_is_not_valid_logs_in_nobody(String what, String token) {
        Answer answer = with(token).get("status");

        assertThat(answer.status()).as(what + answer.body()).isEqualTo(401);
    }

    @Test
    void a_token_without_a_role_of_the_api_may_do_nothing() {
        for (String token : List.of(ISSUER.token("ada", "everyone"), ISSUER.token("ada"))) {
            Answer answer = with(token).get("status");

            assertThat(answer.status()).as(answer.body()).isEqualTo(403);
            assertThat(answer.json().getString("type")).isEqualTo("urn:outboxed:problem:forbidden");
        }
    }

    @Test
    void the_example_of_the_page_is_answered() throws IOException {
        assertThat(CurlExample.ofThePage().stream().filter(example -> !example.isOfTheDemo()))
                .singleElement()
                .satisfies(example -> assertThat(example.with("$token", ISSUER.token("ada", "outbox-operator"))
                                .sendAs(anonymous())
                                .status())
                        .isEqualTo(200));
    }

    @Test
    void the_audit_names_the_user_of_the_token() {
        AdminClient ada = with(ISSUER.token("ada@shop.example", "outbox-operator"));
        String target = "{\"kind\":\"handler\",\"name\":\"not-deployed\",\"reason\":\"a token will do\"}";

        assertThat(ada.post("pauses", target).status()).isEqualTo(200);
        assertThat(ada.post("pauses/resume", target).status()).isEqualTo(200);
        assertThat(ada.get("audit").body()).contains("ada@shop.example", "a token will do");
    }
}

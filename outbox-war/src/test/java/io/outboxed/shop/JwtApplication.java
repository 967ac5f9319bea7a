package io.outboxed.shop;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.core.Application;
import org.eclipse.microprofile.auth.LoginConfig;

/** In the server: its annotation lets tokens log in the users of the whole WAR. Payara looks for it on beans only. */
@ApplicationPath("jwt")
@ApplicationScoped
@LoginConfig(authMethod = "MP-JWT")
public class JwtApplication extends Application {}

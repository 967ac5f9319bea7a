package io.outboxed.shop;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.ExtensionContext.StoreScope;

/**
 * With {@code it.one-server}, the server and its database last for all classes of this JVM, to save time. Otherwise they
 * end with each class: Surefire launches the classes of several JVMs one by one, and Arquillian ends its container with
 * the launch.
 */
final class OneServer {
    /** Where Arquillian keeps its container, in the store of the root context. */
    private static final Namespace ARQUILLIAN = Namespace.create("arquillianNamespace");

    private static final String CONTAINER = "testRunnerManager";

    private OneServer() {}

    static boolean isWanted() {
        return Boolean.getBoolean("it.one-server");
    }

    /** For what lasts as long as the server. */
    static Store store(ExtensionContext context, Class<?> owner) {
        Namespace namespace = Namespace.create(owner);
        return isWanted()
                ? context.getStore(StoreScope.LAUNCHER_SESSION, namespace)
                : context.getRoot().getStore(namespace);
    }

    /** Before Arquillian looks for its container. */
    static void handBack(ExtensionContext context) {
        Object container = store(context, OneServer.class).get(CONTAINER);
        if (isWanted() && container != null) {
            context.getRoot().getStore(ARQUILLIAN).put(CONTAINER, container);
        }
    }

    /** After Arquillian has undeployed, and before the root context ends. */
    static void keep(ExtensionContext context) {
        if (!isWanted()) {
            return;
        }
        Object container = context.getRoot().getStore(ARQUILLIAN).remove(CONTAINER);
        if (container == null) {
            throw new IllegalStateException(
                    "Arquillian keeps its container elsewhere: look where, or do without it.one-server");
        }
        store(context, OneServer.class).put(CONTAINER, container);
    }
}

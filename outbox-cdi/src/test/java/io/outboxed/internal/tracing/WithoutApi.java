package io.outboxed.internal.tracing;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.Callable;

/** The classes of this test run in a class loader that lacks some of the libraries. */
public final class WithoutApi {

    private WithoutApi() {}

    /** Runs the class in such a loader. @param library a part of the missing jars' paths */
    @SuppressWarnings("unchecked")
    public static String call(String library, Class<? extends Callable<String>> work) throws Exception {
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        URL[] urls = Arrays.stream(classPath.split(File.pathSeparator))
                .filter(entry -> !entry.contains(library))
                .map(WithoutApi::url)
                .toArray(URL[]::new);
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader loader = new URLClassLoader(urls, ClassLoader.getPlatformClassLoader())) {
            thread.setContextClassLoader(loader);
            Class<?> there = loader.loadClass(work.getName());
            var constructor = there.getDeclaredConstructor();
            constructor.setAccessible(true);
            return ((Callable<String>) constructor.newInstance()).call();
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private static URL url(String entry) {
        try {
            return Path.of(entry).toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalStateException(e);
        }
    }
}

package io.outboxed.internal.testkit.standalone;

import io.outboxed.testkit.OutboxTest;
import jakarta.decorator.Decorator;
import jakarta.ejb.Singleton;
import jakarta.ejb.Stateful;
import jakarta.ejb.Stateless;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.context.NormalScope;
import jakarta.enterprise.inject.Stereotype;
import jakarta.interceptor.Interceptor;
import java.io.IOException;
import java.lang.annotation.Annotation;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.platform.commons.support.AnnotationSupport;

/** The classes of a package and below that a server would discover as beans. Weld scans one place of a package only. */
final class BeanClasses {
    private static final String CLASS = ".class";
    private static final List<Class<? extends Annotation>> SESSION_BEANS =
            List.of(Stateless.class, Stateful.class, Singleton.class);

    private final ClassLoader loader = Thread.currentThread().getContextClassLoader();
    private final Class<?> test;

    BeanClasses(Class<?> test) {
        this.test = test;
    }

    Class<?>[] below(String packageName) {
        return classes(packageName).filter(this::isBean).toArray(Class<?>[]::new);
    }

    /** They would need another container. */
    List<String> sessionBeansBelow(String packageName) {
        return classes(packageName)
                .filter(type -> SESSION_BEANS.stream().anyMatch(type::isAnnotationPresent))
                .map(Class::getName)
                .sorted()
                .toList();
    }

    private Stream<? extends Class<?>> classes(String packageName) {
        String folder = packageName.replace('.', '/');
        try {
            return Collections.list(loader.getResources(folder)).stream()
                    .flatMap(place -> files(place, folder))
                    .filter(file -> file.endsWith(CLASS))
                    .map(file ->
                            file.substring(0, file.length() - CLASS.length()).replace('/', '.'))
                    .distinct()
                    .flatMap(name -> load(name).stream());
        } catch (IOException e) {
            throw new IllegalStateException("the beans of " + packageName + " could not be found", e);
        }
    }

    private static Stream<String> files(URL place, String folder) {
        try {
            if (place.openConnection() instanceof JarURLConnection jar) {
                return jar.getJarFile().stream()
                        .map(entry -> entry.getName())
                        .filter(name -> name.startsWith(folder + "/"));
            }
            Path root = Path.of(URI.create(place.toString()));
            try (Stream<Path> found = Files.walk(root)) {
                return found
                        .map(file ->
                                folder + "/" + root.relativize(file).toString().replace('\\', '/'))
                        .toList()
                        .stream();
            }
        } catch (IOException e) {
            throw new IllegalStateException("the classes in " + place + " could not be listed", e);
        }
    }

    /** Empty if it needs a class that is not there, such as the API of a server. */
    private Optional<Class<?>> load(String name) {
        try {
            return Optional.of(Class.forName(name, false, loader));
        } catch (ClassNotFoundException | LinkageError absent) {
            return Optional.empty();
        }
    }

    private boolean isBean(Class<?> type) {
        return Arrays.stream(type.getAnnotations()).anyMatch(BeanClasses::definesBean) && !isOfAnotherTest(type);
    }

    private static boolean definesBean(Annotation annotation) {
        Class<?> type = annotation.annotationType();
        return type == Dependent.class
                || type == Interceptor.class
                || type == Decorator.class
                || type.isAnnotationPresent(NormalScope.class)
                || type.isAnnotationPresent(Stereotype.class);
    }

    private boolean isOfAnotherTest(Class<?> type) {
        Set<Class<?>> ours = around(test).flatMap(BeanClasses::withSuperclasses).collect(Collectors.toSet());
        return around(type)
                .anyMatch(each -> AnnotationSupport.isAnnotated(each, OutboxTest.class) && !ours.contains(each));
    }

    /** The class, and those that it is nested in. */
    private static Stream<Class<?>> around(Class<?> type) {
        return Stream.iterate(type, Objects::nonNull, Class::getEnclosingClass);
    }

    private static Stream<Class<?>> withSuperclasses(Class<?> type) {
        return Stream.iterate(type, Objects::nonNull, Class::getSuperclass);
    }
}

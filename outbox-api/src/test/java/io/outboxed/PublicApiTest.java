package io.outboxed;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Everything that an application can compile against, as a committed text: no addition and no removal goes unnoticed.
 */
class PublicApiTest {
    private static final Path CLASSES = Path.of("target/classes");
    private static final Path COMMITTED = Path.of("src/test/public-api.txt");
    private static final Path FOUND = Path.of("target/public-api.txt");
    private static final Set<String> OF_EVERY_OBJECT = Set.of("equals", "hashCode", "toString");

    @Test
    void the_public_api_is_the_committed_one() throws Exception {
        String found = publicTypes().stream().map(PublicApiTest::describe).collect(Collectors.joining("\n"));
        Files.writeString(FOUND, found);

        assertThat(found)
                .as(
                        "The public API has changed. Additions are kept for ever, removals break applications. If this one is"
                                + " meant: cp outbox-api/%s outbox-api/%s, commit it, and say so in CHANGELOG.md",
                        FOUND, COMMITTED)
                .isEqualTo(Files.readString(COMMITTED));
    }

    private static List<Class<?>> publicTypes() throws IOException, ClassNotFoundException {
        List<String> names;
        try (Stream<Path> files = Files.walk(CLASSES)) {
            names = files.map(file -> CLASSES.relativize(file).toString())
                    .filter(file -> file.endsWith(".class") && !file.endsWith("package-info.class"))
                    .map(file -> file.replace(".class", "").replace('/', '.').replace('\\', '.'))
                    .sorted()
                    .toList();
        }
        List<Class<?>> types = new ArrayList<>();
        for (String name : names) {
            Class<?> type = Class.forName(name);
            if (isVisible(type.getModifiers())) {
                types.add(type);
            }
        }
        return types;
    }

    private static String describe(Class<?> type) {
        Stream<String> members = Stream.of(
                        Arrays.stream(type.getDeclaredFields())
                                .filter(field -> isVisible(field.getModifiers()))
                                .map(Field::toGenericString),
                        Arrays.stream(type.getDeclaredConstructors())
                                .filter(constructor -> isVisible(constructor.getModifiers()))
                                .map(Constructor::toGenericString),
                        Arrays.stream(type.getDeclaredMethods())
                                .filter(PublicApiTest::isOwn)
                                .map(method -> method.toGenericString() + defaultOf(method)))
                .flatMap(each -> each)
                .sorted();
        return Stream.concat(
                        Stream.of(type.toGenericString() + parents(type)),
                        members.map(member -> "  " + member.replace(type.getName() + ".", "")))
                .map(line -> line.replace("java.lang.", "").replace("java.util.", "") + "\n")
                .collect(Collectors.joining());
    }

    private static boolean isOwn(Method method) {
        return isVisible(method.getModifiers()) && !method.isSynthetic() && !OF_EVERY_OBJECT.contains(method.getName());
    }

    private static String defaultOf(Method method) {
        return method.getDefaultValue() == null ? "" : " default \"" + method.getDefaultValue() + "\"";
    }

    private static String parents(Class<?> type) {
        return Stream.concat(Stream.ofNullable(type.getGenericSuperclass()), Arrays.stream(type.getGenericInterfaces()))
                .map(Type::getTypeName)
                .filter(parent -> !parent.equals("java.lang.Object"))
                .map(parent -> " : " + parent)
                .collect(Collectors.joining());
    }

    private static boolean isVisible(int modifiers) {
        return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
    }
}

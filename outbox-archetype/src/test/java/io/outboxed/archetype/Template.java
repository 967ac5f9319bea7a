package io.outboxed.archetype;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** The files of this archetype, written as Maven would write them. */
final class Template {
    private static final Path RESOURCES = Path.of("src/main/resources");
    private static final Path FILES = RESOURCES.resolve("archetype-resources");
    private static final Map<String, String> VALUES =
            Map.of("${groupId}", "org.acme", "${artifactId}", "shop", "${version}", "1", "${package}", "org.acme.shop");

    private Template() {}

    /** Also written are the directories below it. */
    static void generate(Path target) throws Exception {
        write(FILES.resolve("pom.xml"), target.resolve("pom.xml"), true);
        for (FileSet set : fileSets()) {
            Path from = FILES.resolve(set.directory());
            Path to = target.resolve(set.directory());
            for (Path file : set.files()) {
                write(
                        file,
                        (set.packaged() ? to.resolve("org/acme/shop") : to).resolve(from.relativize(file)),
                        set.filtered());
            }
        }
    }

    /** The files that belong to no set, and so would be missing in a generated project. */
    static List<Path> forgotten() throws Exception {
        List<Path> rest = new ArrayList<>(filesBelow(FILES));
        rest.remove(FILES.resolve("pom.xml"));
        for (FileSet set : fileSets()) {
            rest.removeAll(set.files());
        }
        return rest;
    }

    static String pom() throws IOException {
        return Files.readString(FILES.resolve("pom.xml"));
    }

    /** @param included names of the only files; empty: all below the directory */
    private record FileSet(Path directory, List<String> included, boolean packaged, boolean filtered) {

        List<Path> files() throws IOException {
            Path from = FILES.resolve(directory);
            return included.isEmpty()
                    ? filesBelow(from)
                    : included.stream().map(from::resolve).toList();
        }
    }

    private static List<FileSet> fileSets() throws Exception {
        NodeList found = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(RESOURCES
                        .resolve("META-INF/maven/archetype-metadata.xml")
                        .toFile())
                .getElementsByTagName("fileSet");
        List<FileSet> sets = new ArrayList<>();
        for (int i = 0; i < found.getLength(); i++) {
            Element set = (Element) found.item(i);
            sets.add(new FileSet(
                    Path.of(texts(set, "directory").get(0)),
                    texts(set, "include"),
                    Boolean.parseBoolean(set.getAttribute("packaged")),
                    Boolean.parseBoolean(set.getAttribute("filtered"))));
        }
        return sets;
    }

    private static List<String> texts(Element set, String element) {
        NodeList found = set.getElementsByTagName(element);
        return IntStream.range(0, found.getLength())
                .mapToObj(i -> found.item(i).getTextContent())
                .toList();
    }

    private static List<Path> filesBelow(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            return all.filter(Files::isRegularFile).toList();
        }
    }

    private static void write(Path from, Path to, boolean filtered) throws IOException {
        String text = Files.readString(from);
        if (filtered) {
            for (Map.Entry<String, String> value : VALUES.entrySet()) {
                text = text.replace(value.getKey(), value.getValue());
            }
        }
        Files.createDirectories(to.getParent());
        Files.writeString(to, text);
    }
}

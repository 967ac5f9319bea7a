package io.outboxed.internal.boot;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/** The application's persistence units, as its {@code persistence.xml} files say. */
final class PersistenceUnits {
    private static final String FILE = "META-INF/persistence.xml";
    private static final String PROPERTY = "jakarta.persistence.jtaDataSource";

    private PersistenceUnits() {}

    /**
     * @param jta whether it takes part in JTA transactions
     * @param dataSource its JNDI name there; null: the server's default
     */
    record Unit(String name, boolean jta, String dataSource) {}

    /** @throws IOException if one of the files can't be read, or is not XML: the server will say so */
    static List<Unit> of(ClassLoader application) throws IOException {
        List<Unit> units = new ArrayList<>();
        for (URL file : Set.copyOf(Collections.list(application.getResources(FILE)))) {
            try (InputStream text = file.openStream()) {
                units.addAll(read(text));
            } catch (XMLStreamException e) {
                throw new IOException(file + ": " + e.getMessage(), e);
            }
        }
        return units;
    }

    static List<Unit> read(InputStream text) throws XMLStreamException {
        List<Unit> units = new ArrayList<>();
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        XMLStreamReader reader = factory.createXMLStreamReader(text);
        String unit = null;
        boolean jta = true;
        String dataSource = null;
        while (reader.hasNext()) {
            int event = reader.next();
            if (event == XMLStreamReader.START_ELEMENT) {
                switch (reader.getLocalName()) {
                    case "persistence-unit" -> {
                        unit = reader.getAttributeValue(null, "name");
                        jta = !"RESOURCE_LOCAL".equals(reader.getAttributeValue(null, "transaction-type"));
                        dataSource = null;
                    }
                    case "jta-data-source" ->
                        dataSource = reader.getElementText().strip();
                    case "property" -> {
                        if (PROPERTY.equals(reader.getAttributeValue(null, "name"))) {
                            dataSource = reader.getAttributeValue(null, "value");
                        }
                    }
                    default -> {}
                }
            } else if (event == XMLStreamReader.END_ELEMENT && "persistence-unit".equals(reader.getLocalName())) {
                units.add(new Unit(unit, jta, dataSource));
            }
        }
        reader.close();
        return units;
    }
}

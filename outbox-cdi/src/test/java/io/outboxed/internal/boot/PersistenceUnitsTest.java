package io.outboxed.internal.boot;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.internal.boot.PersistenceUnits.Unit;
import java.io.ByteArrayInputStream;
import java.util.List;
import javax.xml.stream.XMLStreamException;
import org.junit.jupiter.api.Test;

class PersistenceUnitsTest {

    @Test
    void each_unit_has_its_data_source_or_the_default_one() throws XMLStreamException {
        assertThat(unitsOf("""
                        <persistence xmlns="https://jakarta.ee/xml/ns/persistence" version="3.1">
                          <persistence-unit name="shop" transaction-type="JTA">
                            <jta-data-source> java:app/jdbc/outbox </jta-data-source>
                            <properties><property name="a" value="b"/></properties>
                          </persistence-unit>
                          <persistence-unit name="reports"><class>Report</class></persistence-unit>
                          <persistence-unit name="local" transaction-type="RESOURCE_LOCAL">
                            <non-jta-data-source>java:app/jdbc/local</non-jta-data-source>
                          </persistence-unit>
                        </persistence>
                        """))
                .containsExactly(
                        new Unit("shop", true, "java:app/jdbc/outbox"),
                        new Unit("reports", true, null),
                        new Unit("local", false, null));
    }

    @Test
    void a_data_source_can_be_named_by_a_property() throws XMLStreamException {
        assertThat(unitsOf("""
                        <persistence><persistence-unit name="shop"><properties>
                          <property name="jakarta.persistence.jtaDataSource" value="java:app/jdbc/outbox"/>
                        </properties></persistence-unit></persistence>
                        """)).containsExactly(new Unit("shop", true, "java:app/jdbc/outbox"));
    }

    @Test
    void external_entities_are_not_read() {
        assertThatThrownBy(() -> unitsOf("""
                        <!DOCTYPE persistence [<!ENTITY file SYSTEM "file:///etc/hostname">]>
                        <persistence><persistence-unit name="a"><jta-data-source>&file;</jta-data-source>
                        </persistence-unit></persistence>
                        """)).isInstanceOf(XMLStreamException.class);
    }

    private static List<Unit> unitsOf(String file) throws XMLStreamException {
        return PersistenceUnits.read(new ByteArrayInputStream(file.getBytes(UTF_8)));
    }
}

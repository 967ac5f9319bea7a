package io.outboxed.internal.capture;

import java.sql.CallableStatement;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.UUID;
import org.hibernate.dialect.MySQLDialect;
import org.hibernate.type.descriptor.ValueBinder;
import org.hibernate.type.descriptor.WrapperOptions;
import org.hibernate.type.descriptor.java.JavaType;
import org.hibernate.type.descriptor.jdbc.BasicBinder;
import org.hibernate.type.descriptor.jdbc.BinaryJdbcType;
import org.hibernate.type.descriptor.jdbc.UUIDJdbcType;

/** Sixteen bytes on MySQL and MariaDB, uuid elsewhere. By itself Hibernate takes MariaDB's own uuid type, which is text. */
public final class UuidColumn extends UUIDJdbcType {
    private static final long serialVersionUID = 1L;

    @Override
    public <X> ValueBinder<X> getBinder(JavaType<X> javaType) {
        ValueBinder<X> bytes = BinaryJdbcType.INSTANCE.getBinder(javaType);
        return new BasicBinder<>(javaType, this) {
            private static final long serialVersionUID = 1L;

            @Override
            protected void doBind(PreparedStatement statement, X value, int index, WrapperOptions options)
                    throws SQLException {
                // MariaDB's dialect is a kind of MySQL's
                if (options.getSession().getJdbcServices().getDialect() instanceof MySQLDialect) {
                    bytes.bind(statement, value, index, options);
                } else {
                    statement.setObject(index, javaType.unwrap(value, UUID.class, options));
                }
            }

            @Override
            protected void doBind(CallableStatement statement, X value, String name, WrapperOptions options) {
                throw new UnsupportedOperationException("rows are inserted, no procedure is called");
            }
        };
    }
}

package io.outboxed.internal.hibernate;

import java.sql.CallableStatement;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.hibernate.dialect.MySQLDialect;
import org.hibernate.type.descriptor.ValueBinder;
import org.hibernate.type.descriptor.ValueExtractor;
import org.hibernate.type.descriptor.WrapperOptions;
import org.hibernate.type.descriptor.java.JavaType;
import org.hibernate.type.descriptor.jdbc.BasicBinder;
import org.hibernate.type.descriptor.jdbc.BasicExtractor;
import org.hibernate.type.descriptor.jdbc.BinaryJdbcType;
import org.hibernate.type.descriptor.jdbc.UUIDJdbcType;

/**
 * Sixteen bytes on MySQL and MariaDB, uuid elsewhere. Hibernate itself would use MariaDB's own uuid type, which is sent
 * as text.
 */
public final class UuidColumn extends UUIDJdbcType {
    private static final long serialVersionUID = 1L;

    /** MariaDB's dialect is a kind of MySQL's. */
    private static boolean isBytes(WrapperOptions options) {
        return options.getDialect() instanceof MySQLDialect;
    }

    @Override
    public <X> ValueBinder<X> getBinder(JavaType<X> javaType) {
        ValueBinder<X> bytes = BinaryJdbcType.INSTANCE.getBinder(javaType);
        ValueBinder<X> uuid = super.getBinder(javaType);
        return new BasicBinder<>(javaType, this) {
            private static final long serialVersionUID = 1L;

            @Override
            protected void doBind(PreparedStatement statement, X value, int index, WrapperOptions options)
                    throws SQLException {
                (isBytes(options) ? bytes : uuid).bind(statement, value, index, options);
            }

            @Override
            protected void doBind(CallableStatement statement, X value, String name, WrapperOptions options)
                    throws SQLException {
                (isBytes(options) ? bytes : uuid).bind(statement, value, name, options);
            }
        };
    }

    @Override
    public <X> ValueExtractor<X> getExtractor(JavaType<X> javaType) {
        ValueExtractor<X> bytes = BinaryJdbcType.INSTANCE.getExtractor(javaType);
        ValueExtractor<X> uuid = super.getExtractor(javaType);
        return new BasicExtractor<>(javaType, this) {
            private static final long serialVersionUID = 1L;

            @Override
            protected X doExtract(ResultSet row, int index, WrapperOptions options) throws SQLException {
                return (isBytes(options) ? bytes : uuid).extract(row, index, options);
            }

            @Override
            protected X doExtract(CallableStatement statement, int index, WrapperOptions options) throws SQLException {
                return (isBytes(options) ? bytes : uuid).extract(statement, index, options);
            }

            @Override
            protected X doExtract(CallableStatement statement, String name, WrapperOptions options)
                    throws SQLException {
                return (isBytes(options) ? bytes : uuid).extract(statement, name, options);
            }
        };
    }
}

package io.outboxed.cli.arguments;

import io.outboxed.internal.store.HandlerNames;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Refuses names that no handler can have. */
public final class HandlerNameConverter implements ITypeConverter<String> {
    @Override
    public String convert(String text) {
        try {
            HandlerNames.require(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
        return text;
    }
}

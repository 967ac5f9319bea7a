/** The project that the archetype generates, compiled and tested: start at {@code GeneratedProjectTest}. */
package io.outboxed.archetype;

/**
 * The project that the archetype generates, compiled and tested.
 *
 * <p>Any change of {@code archetype-resources} starts with {@code GeneratedProjectTest}, which also compares the
 * generated versions with those of this build. {@code Template} writes the files as Maven would; {@code TestRun} runs
 * a generated test in a JVM of its own.
 */
package io.outboxed.archetype;

package io.outboxed.internal.relay.node;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Set;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.Handle;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;

/** Loads the library anew, so that what the loop knows calls {@link AllocationPoints} before it takes memory. */
final class InstrumentingClassLoader extends ClassLoader {
    private static final String LIBRARY = "io.outboxed.";
    private static final String POINTS = AllocationPoints.class.getName().replace('.', '/');
    private static final List<String> WATCHED = List.of(
            "relay.loop.",
            "relay.memory.",
            "relay.writes.",
            "relay.CrashSuspects",
            "relay.LaneClaims",
            "relay.Mailbox",
            "relay.workers.");
    /** Methods of the JDK that take no memory. */
    private static final Set<String> WITHOUT_MEMORY = Set.of(
            "accept",
            "apply",
            "applyAsInt",
            "booleanValue",
            "clear",
            "contains",
            "containsKey",
            "equals",
            "get",
            "getAsLong",
            "getClass",
            "getKey",
            "getOrDefault",
            "getValue",
            "hasNext",
            "hashCode",
            "intValue",
            "isEmpty",
            "isPresent",
            "longValue",
            "max",
            "min",
            "next",
            "orElse",
            "peekFirst",
            "peekLast",
            "poll",
            "pollFirst",
            "remove",
            "run",
            "size",
            "test",
            "unlock");

    /** These lists were made with room for all that comes. */
    private static final Set<String> WITH_ROOM =
            Set.of("Acknowledger.takeNextBatch add", "CallReporter.reportFrom add");

    InstrumentingClassLoader(ClassLoader parent) {
        super(parent);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(LIBRARY) || name.equals(AllocationPoints.class.getName())) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded == null ? load(name) : loaded;
        }
    }

    private Class<?> load(String name) throws ClassNotFoundException {
        try (InputStream file = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (file == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] bytes = file.readAllBytes();
            boolean watched = WATCHED.stream().anyMatch(part -> name.startsWith(LIBRARY + "internal." + part));
            byte[] code = watched ? watched(bytes) : bytes;
            return defineClass(name, code, 0, code.length);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] watched(byte[] bytes) {
        ClassReader reader = new ClassReader(bytes);
        ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        reader.accept(
                new ClassVisitor(Opcodes.ASM9, writer) {
                    @Override
                    public MethodVisitor visitMethod(
                            int access, String name, String descriptor, String signature, String[] exceptions) {
                        MethodVisitor to = super.visitMethod(access, name, descriptor, signature, exceptions);
                        String of = reader.getClassName().replaceFirst(".*/", "") + "." + name;
                        return name.equals("<clinit>") ? to : new Watched(to, of);
                    }
                },
                0);
        return writer.toByteArray();
    }

    private static final class Watched extends MethodVisitor {
        private final String method;
        private int line;
        private int inLine;

        private Watched(MethodVisitor to, String method) {
            super(Opcodes.ASM9, to);
            this.method = method;
        }

        @Override
        public void visitLineNumber(int number, Label start) {
            line = number;
            inLine = 0;
            super.visitLineNumber(number, start);
        }

        @Override
        public void visitTypeInsn(int opcode, String type) {
            super.visitTypeInsn(opcode, type);
            if (opcode == Opcodes.NEW || opcode == Opcodes.ANEWARRAY) {
                // not before: stack maps refer to the instruction
                point();
            }
        }

        @Override
        public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
            point();
            super.visitInvokeDynamicInsn(name, descriptor, bootstrap, arguments);
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
            if (owner.startsWith("java/") && !name.equals("<init>") && !takesNone(name)) {
                point();
            }
            super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
        }

        private boolean takesNone(String called) {
            return WITHOUT_MEMORY.contains(called) || WITH_ROOM.contains(method + " " + called);
        }

        private void point() {
            super.visitLdcInsn(method + ":" + line + "/" + ++inLine);
            super.visitMethodInsn(Opcodes.INVOKESTATIC, POINTS, "at", "(Ljava/lang/String;)V", false);
        }
    }
}

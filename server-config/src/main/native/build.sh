#!/bin/sh
# Builds the stand-ins on Linux x86_64 into the resources of this module, from where RealMySql takes them.
set -eu
cd "$(dirname "$0")"
target=../resources/io/outboxed/servers/files/linux-x86_64
mkdir -p "$target"
for library in libaio libnuma; do
    cc -Os -fPIC -shared -nostdlib -s -Wl,-soname,$library.so.1 -Wl,--version-script=$library.map \
        -Wl,--build-id=none -Wl,-z,noseparate-code -Wl,-z,noexecstack -o "$target/$library.so.1" $library.c
done

/** Downloaded and unpacked files, shared by runs, and the directories that servers work in. */
package io.outboxed.servers.files;

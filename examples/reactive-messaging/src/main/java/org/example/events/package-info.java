/** Forwards events through a channel of MicroProfile Reactive Messaging: docs/reactive-messaging.md. */
package org.example.events;

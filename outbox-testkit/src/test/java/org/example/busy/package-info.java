/**
 * The test kit with a relay that has threads of its own, as in a server. A change in what {@code drain} waits for there
 * starts with {@code BusyHandlerTest}.
 */
package org.example.busy;

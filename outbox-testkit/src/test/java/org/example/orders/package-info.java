/** An application, and its tests with the kit. */
package org.example.orders;

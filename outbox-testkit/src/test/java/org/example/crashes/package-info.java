/** When a requested crash comes. A change of that begins with {@code CrashPointTest}. */
package org.example.crashes;

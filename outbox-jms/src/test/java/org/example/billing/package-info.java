/** The consumer of docs/jms.md. */
package org.example.billing;

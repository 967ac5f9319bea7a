/** Calls of Payara's pool, from a class with its name: {@code LocalTransactionImpl}. */
package com.sun.gjc.spi;

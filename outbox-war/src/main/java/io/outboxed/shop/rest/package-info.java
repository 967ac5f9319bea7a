/** The shop's HTTP interface: requests checked, answers and errors shaped. */
package io.outboxed.shop.rest;

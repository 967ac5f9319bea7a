/** The request of a test. A change of it begins with {@code RequestScopeTest}. */
package org.example.requests;

package io.outboxed.shop.rest;

import static java.nio.charset.StandardCharsets.UTF_8;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/**
 * Answers requests that the server itself rejects, for example because of an unreadable media type, with a problem as
 * well.
 */
@WebServlet("/refused")
public class ErrorAnswer extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Object refused = request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE);
        int status = refused instanceof Integer code ? code : HttpServletResponse.SC_NOT_FOUND;
        response.setStatus(status);
        response.setContentType(Problem.MEDIA_TYPE);
        response.getOutputStream()
                .write(Problem.json(status, "Refused", detail(status)).getBytes(UTF_8));
    }

    private static String detail(int status) {
        return status == HttpServletResponse.SC_NOT_FOUND
                ? "There is nothing at this address."
                : "The server could not understand the request; nothing was ordered.";
    }
}

package org.example.returning;

import jakarta.inject.Inject;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/** POST returns a book, GET tells whether it is on the shelf: 200 or 404. */
@WebServlet("/returns")
public class ReturnsServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Inject
    ReturnDesk desk;

    @Inject
    Shelf shelf;

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) {
        desk.takeBack(request.getParameter("book"));
        response.setStatus(HttpServletResponse.SC_CREATED);
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) {
        boolean there = shelf.books().contains(request.getParameter("book"));
        response.setStatus(there ? HttpServletResponse.SC_OK : HttpServletResponse.SC_NOT_FOUND);
    }
}

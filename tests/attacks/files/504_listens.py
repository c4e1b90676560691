"""Listens for others on ports, names and paths; right outcome: refused."""
# points: full | verdict: -
import http.server
import socket
import socketserver

# honest solution


def listen(family, address, kind=socket.SOCK_STREAM):
    channel = socket.socket(family, kind)
    channel.bind(address)
    return kind == socket.SOCK_DGRAM or channel.listen()


attempt("TCP", lambda: listen(socket.AF_INET, ("127.0.0.1", 0)))
attempt("TCP everywhere", lambda: listen(socket.AF_INET6, ("::", 0)))
attempt("UDP", lambda: listen(socket.AF_INET, ("127.0.0.1", 0), socket.SOCK_DGRAM))
attempt("without binding", lambda: socket.socket().listen())
attempt("abstract socket", lambda: listen(socket.AF_UNIX, f"\0{MARK}-2"))
attempt("socket in its folder", lambda: listen(socket.AF_UNIX, "socket"))
attempt("http server", lambda: http.server.HTTPServer(("127.0.0.1", 0), http.server.BaseHTTPRequestHandler))
attempt("socketserver", lambda: socketserver.TCPServer(("127.0.0.1", 0), socketserver.BaseRequestHandler))

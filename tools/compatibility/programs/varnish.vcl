# Varnish in front of the server, as docs/compatibility.md says. TRUST_PROXY is 1.
vcl 4.1;

backend web1 {
    .host = "127.0.0.1";
    .port = "3001";
}

sub vcl_recv {
    # Sockets.
    if (req.http.Upgrade ~ "(?i)websocket") {
        return (pipe);
    }
    # It asks with POST for what is not kept.
    if (req.method != "GET" && req.method != "HEAD") {
        return (pass);
    }
}

sub vcl_pipe {
    set bereq.http.Upgrade = req.http.Upgrade;
    set bereq.http.Connection = "upgrade";
}

sub vcl_backend_response {
    # The server says what may be kept for how long. What it says nothing of is kept for two minutes otherwise.
    if (!beresp.http.X-Accel-Expires) {
        set beresp.uncacheable = true;
    }
}

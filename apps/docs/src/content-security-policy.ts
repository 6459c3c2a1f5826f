/** The Content-Security-Policy of the pages: scripts, styles, images and requests only from the same server. */
export const siteContentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/**
 * The Content-Security-Policy of the reference on one page. Send it with every file of dist/reference/.
 *
 * The two hashes are of <style> elements that Redoc inserts: an empty element that its style library fills by script, and the
 * style sheet of its scroll bars. The policy allows no other inline style, no inline script and no `eval`. Redoc runs its
 * search in a worker that it creates from a blob.
 */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=' 'sha256-QMIg+bpjm3JdElJ388KYke01izlUW0UoNOeKjpMxdgc='",
  "img-src 'self' data:",
  "connect-src 'self'",
  "worker-src blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** The Content-Security-Policy of a standalone diagram, which contains its styles. */
export const diagramContentSecurityPolicy = "default-src 'none'; style-src 'unsafe-inline'";

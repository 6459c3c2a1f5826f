/**
 * The Content-Security-Policy that the page works under; send it with every file of dist/.
 *
 * The two hashes are of <style> elements that Redoc inserts: the empty one that its style library fills by script, and the
 * style sheet of its scroll bars. No other inline style and no inline script runs, and nothing is evaluated. The search
 * runs in a worker, which Redoc makes from a blob.
 */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=' 'sha256-QMIg+bpjm3JdElJ388KYke01izlUW0UoNOeKjpMxdgc='",
  "img-src data:",
  "connect-src 'self'",
  "worker-src blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/**
 * The Content-Security-Policy that the page works under; whoever serves dist/ should send it.
 *
 * The one hash is that of the empty string: Redoc's style library inserts an empty <style> element and fills it by script.
 * The colours of code are style attributes. No script is inline, and nothing is evaluated. Redoc's search may run in a
 * worker that it makes from a blob.
 */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='",
  "style-src-attr 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

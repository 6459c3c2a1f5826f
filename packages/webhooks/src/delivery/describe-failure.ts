/** Descriptions of Node.js and undici error codes for the delivery log. The part before the colon says which step failed. */
const descriptions: Record<string, string> = {
  ENOTFOUND: "DNS: the host name does not exist, or has a private, local or reserved address",
  EAI_AGAIN: "DNS: the host name could not be resolved",
  ECONNREFUSED: "connect: the connection was refused",
  EHOSTUNREACH: "connect: the host cannot be reached",
  ENETUNREACH: "connect: the network cannot be reached",
  ECONNRESET: "connection: closed by the receiver before it responded",
  EPIPE: "connection: closed by the receiver before it responded",
  UND_ERR_SOCKET: "connection: closed by the receiver before it responded",
  UND_ERR_CONNECT_TIMEOUT: "connect: timed out",
  UND_ERR_HEADERS_OVERFLOW: "response: the headers are too long",
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: "response: the body does not match Content-Length",
  INTERIM_RESPONSES: "response: too many interim responses (status 1xx)",
  CERT_HAS_EXPIRED: "TLS: the certificate has expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: "TLS: the certificate is self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: "TLS: the certificate chain is self-signed",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "TLS: the certificate cannot be verified",
  ERR_TLS_CERT_ALTNAME_INVALID: "TLS: the certificate is for another host",
};

/** Extracts the reason from an OpenSSL error, for example `4063820F017F0000:error:0A00010B:SSL routines:function:wrong version number:file:78:`. */
const openSslReason = /:SSL routines:[^:]*:([^:]+):/;

const ofTls = /^(CERT|UNABLE_TO|HOSTNAME_MISMATCH|ERR_TLS|ERR_SSL)/;

/** Describes why an attempt got no response. */
export function describeFailure(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return `timeout: no response within ${timeoutMs} ms`;
  const { code = "", syscall } = error as NodeJS.ErrnoException;
  if (code === "BLOCKED_ADDRESS") return `blocked address: ${error.message}`;
  if (error.name === "HTTPParserError" || code.startsWith("HPE_")) return "response: not valid HTTP";
  const refusal = openSslReason.exec(error.message)?.[1];
  if (refusal) return `TLS: ${refusal}`;
  if (syscall === "getaddrinfo") return descriptions[code] ?? "DNS: not a valid host name";
  return descriptions[code] ?? `${ofTls.test(code) ? "TLS" : code || "error"}: ${error.message}`;
}

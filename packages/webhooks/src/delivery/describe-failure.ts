/** Node's and undici's error codes in words for the delivery log; the part before the colon names the stage. */
const words: Record<string, string> = {
  ENOTFOUND: "DNS: the host name does not exist",
  EAI_AGAIN: "DNS: the host name could not be resolved",
  ECONNREFUSED: "connect: the connection was refused",
  EHOSTUNREACH: "connect: the host cannot be reached",
  ENETUNREACH: "connect: the network cannot be reached",
  ECONNRESET: "connection: the receiver closed it before answering",
  EPIPE: "connection: the receiver closed it before answering",
  UND_ERR_SOCKET: "connection: the receiver closed it before answering",
  UND_ERR_CONNECT_TIMEOUT: "connect: timed out",
  UND_ERR_HEADERS_OVERFLOW: "answer: its headers are too long",
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: "answer: it is not as long as it says",
  INTERIM_ANSWERS: "answer: interim ones came, and no end of them",
  CERT_HAS_EXPIRED: "TLS: the certificate has expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: "TLS: the certificate is self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: "TLS: the certificate chain is self-signed",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "TLS: the certificate cannot be verified",
  ERR_TLS_CERT_ALTNAME_INVALID: "TLS: the certificate is for another host",
};

/** The reason within OpenSSL's `4063820F017F0000:error:0A00010B:SSL routines:function:wrong version number:file:78:`. */
const openSslReason = /:SSL routines:[^:]*:([^:]+):/;

const ofTls = /^(CERT|UNABLE_TO|HOSTNAME_MISMATCH|ERR_TLS|ERR_SSL)/;

/** Why an attempt got no answer, in words. */
export function describeFailure(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return `time-out: no answer within ${timeoutMs} ms`;
  const { code = "", syscall } = error as NodeJS.ErrnoException;
  if (code === "BLOCKED_ADDRESS") return `blocked address: ${error.message}`;
  if (error.name === "HTTPParserError" || code.startsWith("HPE_")) return "answer: it is not HTTP";
  const refusal = openSslReason.exec(error.message)?.[1];
  if (refusal) return `TLS: ${refusal}`;
  if (syscall === "getaddrinfo") return words[code] ?? "DNS: this is no host name";
  return words[code] ?? `${ofTls.test(code) ? "TLS" : code || "error"}: ${error.message}`;
}

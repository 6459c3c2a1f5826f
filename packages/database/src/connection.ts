import pg from "pg";

/** Connection to the database. Its errors about TLS name the cause and the remedy. */
export class Connection extends pg.Client {
  override connect(): Promise<this>;
  override connect(callback: (error: Error) => void): void;
  override connect(callback?: (error: Error) => void): Promise<this> | undefined {
    if (callback === undefined) {
      return super.connect().then(
        () => this,
        (error: unknown) => {
          throw explainTls(error, this.host);
        },
      );
    }
    super.connect((error: Error | null) => callback((error && explainTls(error, this.host)) as Error));
    return undefined;
  }
}

const untrusted =
  "The certificate is not signed by a trusted CA. Set sslrootcert in the URL to a file with the certificate of the CA.";

const remedies: Record<string, string> = {
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  CERT_SIGNATURE_FAILURE: untrusted,
  ERR_TLS_CERT_ALTNAME_INVALID:
    "The certificate is for another host. Use a host name in the URL that the certificate contains.",
  CERT_HAS_EXPIRED: "Renew the certificate of the database server.",
  CERT_NOT_YET_VALID: "Check the clocks of this machine and of the database server.",
};

/** Returns an error about TLS with its remedy, and other errors unchanged. */
function explainTls(error: unknown, host: string): unknown {
  if (!(error instanceof Error)) return error;
  const { code = "", message } = error as NodeJS.ErrnoException;
  const remedy = remedies[code] ?? remedyOfMessage(code, message);
  if (remedy === undefined) return error;
  const text = `The TLS connection to the database at ${host} (DATABASE_URL or DATABASE_DIRECT_URL) failed: ${message}. ${remedy}`;
  return Object.assign(new Error(text, { cause: error }), { code });
}

function remedyOfMessage(code: string, message: string): string | undefined {
  if (message === "The server does not support SSL connections") {
    return "Switch on TLS on the database server (ssl = on), or set sslmode=disable in the URL.";
  }
  if (code === "28000" && message.endsWith("no encryption")) {
    return "The server requires TLS. Set sslmode=verify-full in the URL.";
  }
  if (code.startsWith("ERR_SSL_") || code.startsWith("ERR_OSSL_")) {
    return "Check sslrootcert, sslcert and sslkey in the URL, and the TLS settings of the database server.";
  }
  return undefined;
}

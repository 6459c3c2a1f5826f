import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** PEM. */
export interface Certificate {
  key: string;
  cert: string;
  /** Where `cert` stands: `NODE_EXTRA_CA_CERTS` makes a process trust it. */
  file: string;
}

/** A certificate for 127.0.0.1 that vouches for itself. @param folder where its files are left */
export function createCertificate(folder: string): Certificate {
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const request = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=127.0.0.1";
  const name = ["-addext", "subjectAltName=IP:127.0.0.1"];
  execFileSync("openssl", [...request.split(" "), ...name, "-keyout", key, "-out", cert], {
    stdio: "ignore",
  });
  return { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8"), file: cert };
}

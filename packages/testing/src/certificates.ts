import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** Paths of a certificate and its private key. */
export interface Certificate {
  cert: string;
  key: string;
}

/** Certificate authority for tests. */
export interface TestAuthority {
  /** Path of its certificate. */
  ca: string;
  /** Issues a certificate. `names` are its subject alternative names, for example `IP:127.0.0.1`. */
  issue(name: string, options: { commonName: string; names?: string[]; days?: number }): Certificate;
}

/** Creates a certificate authority with the program openssl. Its files are in `folder`. */
export function createAuthority(folder: string, name: string): TestAuthority {
  const path = (file: string) => join(folder, file);
  const openssl = (...args: string[]) => execFileSync("openssl", args, { stdio: "pipe" });
  const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const [ca, caKey] = [path(`${name}.crt`), path(`${name}.key`)];
  openssl("req", "-x509", ...newKey, "-keyout", caKey, "-out", ca, "-days", "2", "-subj", `/CN=${name}`);

  return {
    ca,
    issue(file, { commonName, names = [], days = 2 }) {
      const [cert, key, request, extensions] = ["crt", "key", "csr", "ext"].map((ending) =>
        path(`${file}.${ending}`),
      ) as [string, string, string, string];
      openssl("req", ...newKey, "-keyout", key, "-out", request, "-subj", `/CN=${commonName}`);
      writeFileSync(extensions, names.length > 0 ? `subjectAltName=${names.join(",")}\n` : "");
      const signer = ["-CA", ca, "-CAkey", caKey, "-CAcreateserial", "-extfile", extensions];
      openssl("x509", "-req", "-in", request, ...signer, "-days", String(days), "-out", cert);
      return { cert, key };
    },
  };
}

import { readFileSync } from "node:fs";

/** Values of `sslmode` in DATABASE_URL. All values that use TLS verify the certificate and the host name, except `no-verify`. */
const modes = ["disable", "no-verify", "require", "verify-ca", "verify-full"];

const files = ["sslrootcert", "sslcert", "sslkey"];
const parameters = ["sslmode", ...files, "sslnegotiation", "ssl"];

/**
 * Returns the problem of the TLS parameters in the URL of a database; undefined if they are valid. Without this check, `pg` would
 * ignore a misspelled parameter and connect without TLS.
 */
export function tlsParametersProblem(url: string): string | undefined {
  const { searchParams } = new URL(url);
  for (const name of searchParams.keys()) {
    if (name.toLowerCase() === "uselibpqcompat") {
      return `must not have the parameter ${name}, which can switch off the verification of certificates`;
    }
    if (/^ssl/i.test(name) && !parameters.includes(name)) {
      return `must not have the unknown parameter ${name}; the parameters for TLS are ${parameters.join(", ")}`;
    }
    if (searchParams.getAll(name).length > 1) return `must have the parameter ${name} only once`;
  }
  const mode = searchParams.get("sslmode");
  if (mode !== null && !modes.includes(mode)) return `must have an sslmode of ${modes.join(", ")}`;
  const ssl = searchParams.get("ssl");
  if (ssl !== null && ssl !== "true") return "must not have the parameter ssl with another value than true";
  if (searchParams.has("sslcert") !== searchParams.has("sslkey")) {
    return "must have both sslcert and sslkey, or none of them";
  }
  if (mode === "disable" && files.some((name) => searchParams.has(name))) {
    return "must not have files for TLS with sslmode=disable";
  }
  return unreadableFile(searchParams);
}

function unreadableFile(searchParams: URLSearchParams): string | undefined {
  for (const name of files) {
    const file = searchParams.get(name);
    if (file === null) continue;
    try {
      readFileSync(file);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      return `must have the path of a readable file in ${name} (${code}: ${file})`;
    }
  }
  return undefined;
}

/**
 * Replaces modes that `pg` treats as `verify-full` by `verify-full`. Otherwise `pg` prints a warning about them, and its next major
 * version would stop verifying certificates.
 */
export function makeModeExplicit({ searchParams }: URL): void {
  const mode = searchParams.get("sslmode");
  if (mode === "require" || mode === "verify-ca") searchParams.set("sslmode", "verify-full");
}

import { fields, table } from "@parley/command-line";
import type { OAuthClient, OAuthClientSecret } from "@parley/database";
import { validSecrets } from "@parley/database/accounts";

export function rowOfClient(client: OAuthClient) {
  return {
    "client id": client.id,
    name: client.name,
    type: client.isPublic ? "public" : "confidential",
    organization: client.organizationId ?? "all",
    "redirect uris": client.redirectUris.join(" "),
    created: client.createdAt,
  };
}

/** Returns JSON in the style of the API: snake case, RFC 3339 times. */
export function jsonOfClient(client: OAuthClient, secrets?: OAuthClientSecret[]) {
  return {
    client_id: client.id,
    name: client.name,
    public: client.isPublic,
    organization_id: client.organizationId,
    redirect_uris: client.redirectUris,
    created_at: client.createdAt,
    updated_at: client.updatedAt,
    ...(secrets && { secrets: valid(secrets).map(jsonOfSecret) }),
  };
}

export function describeClient(client: OAuthClient, secrets: OAuthClientSecret[], grants: number): string {
  const text = fields({ ...rowOfClient(client), grants });
  if (client.isPublic) return text;
  const rows = valid(secrets).map(({ hint, createdAt, expiresAt }) => ({
    secret: hint === "" ? "unknown" : `…${hint}`,
    created: createdAt,
    "valid until": expiresAt ?? "rotated",
  }));
  return `${text}\n\n${table(rows, "No valid secret. Create one: parley-admin clients rotate-secret")}`;
}

function valid(secrets: OAuthClientSecret[]): OAuthClientSecret[] {
  return validSecrets(secrets, new Date());
}

function jsonOfSecret({ hint, createdAt, expiresAt }: OAuthClientSecret) {
  return { hint, created_at: createdAt, expires_at: expiresAt };
}

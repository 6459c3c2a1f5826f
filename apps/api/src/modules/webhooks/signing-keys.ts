import type { Schemas } from "@parley/contract";
import type { Database } from "@parley/database";
import { recordChange } from "@parley/database/accounts";
import { publishedKeys, rotateSigningKey, type SecretBox } from "@parley/webhooks";
import { ApiError } from "../../http/api-error.ts";
import { callerOf } from "../../http/caller.ts";
import { item } from "../../http/envelope.ts";
import type { Operations } from "../../http/handlers.ts";
import type { MakeChange } from "../../http/make-change.ts";
import { publicKeysPath } from "./resource.ts";

/** Short, because a key that was removed after a leak must soon be unknown to receivers; seconds. */
const cacheSeconds = 300;

interface SigningKeyOptions {
  db: Database;
  makeChange: MakeChange;
  secretBox: SecretBox;
  /** Returns the public root address of the server. */
  baseUrl: () => string;
}

/** Returns the operations of the signing key of an organization. */
export function signingKeyOperations({
  db,
  makeChange,
  secretBox,
  baseUrl,
}: SigningKeyOptions): Operations<"rotateWebhookSigningKey" | "getWebhookPublicKeys"> {
  return {
    rotateWebhookSigningKey: (request, reply) =>
      makeChange(request, reply, async (change) => {
        const rotated = await rotateSigningKey(change, secretBox, request.body.immediately === true);
        if (!rotated) {
          const description =
            "The organization has no signing key yet. Set `public_key_signature` of a webhook subscription to true first.";
          throw new ApiError(400, "invalid_request", description);
        }
        const publicKeysUrl = baseUrl() + publicKeysPath(callerOf(request).organizationId);
        const { id, signsFrom } = rotated;
        const details = { key_id: id, immediately: request.body.immediately === true };
        const { tx, organizationId, by } = change;
        await recordChange(tx, by, { event: "signing_key.rotated", organizationId, details });
        return item({ id, signs_from: signsFrom.toISOString(), public_keys_url: publicKeysUrl });
      }),

    async getWebhookPublicKeys(request, reply) {
      const keys = await publishedKeys(db, request.params.organization_id);
      if (keys.length === 0) {
        throw new ApiError(404, "not_found", "No organization with this ID has public keys.");
      }
      reply.header("cache-control", `public, max-age=${cacheSeconds}`);
      return { keys: keys.map(jwkOf) };
    },
  };
}

/** Returns a public key as JWK, RFC 8037 section 2. */
function jwkOf({ id, publicKey }: { id: string; publicKey: Uint8Array }): Schemas["WebhookPublicKey"] {
  const x = Buffer.from(publicKey).toString("base64url");
  return { kty: "OKP", crv: "Ed25519", x, kid: id, use: "sig", alg: "EdDSA" };
}

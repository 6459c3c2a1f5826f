import { demo } from "@parley/database";
import type { Standalone } from "./standalone.ts";

/** Returns the text printed after the start: addresses and demo credentials. Scripts wait for the last line. */
export function welcome({
  url,
  demoToken,
  demoVariablesFile,
  platformKeyFile,
  metricsUrl,
}: Standalone): string {
  const keyLine = platformKeyFile ? [`Platform key: ${platformKeyFile}`] : [];
  const metricsLine = metricsUrl ? [`Metrics: ${metricsUrl}/metrics`] : [];
  const demoLines = demoToken && demoVariablesFile ? demoText(url, demoToken, demoVariablesFile) : [];
  return [...demoLines, ...keyLine, ...metricsLine, `Parley is ready: ${url}`].join("\n");
}

function demoText(url: string, token: string, variablesFile: string): string[] {
  const users = demo.users.map(({ plan, email }) => `  ${plan.padEnd(10)}${email}`);
  return [
    "",
    `API         ${url}/api/v1`,
    `Reference   ${url}/docs/`,
    `Authorize   ${url}/api/oauth/authorize?response_type=code&client_id=${demo.clientId}&redirect_uri=${encodeURIComponent(demo.redirectUris[0])}&scope=leads:read+webhooks:manage&state=demo`,
    `Console     ${url}/console (sign in as a demo user)`,
    "",
    `Demo users, password ${demo.password}`,
    ...users,
    `Demo OAuth client: ${demo.clientId} / ${demo.clientSecret}`,
    `  redirect URIs (any port): ${demo.redirectUris.join(", ")}`,
    "",
    "Try it (the token is for the Pro organization and valid for one hour):",
    `  curl -H 'Authorization: Bearer ${token}' '${url}/api/v1/leads?limit=3'`,
    "The SDK and the command line find the same token in this file:",
    `  node --env-file=${variablesFile} your-program.mjs`,
    "",
  ];
}

import type { Scope } from "@parley/contract";
import type { ICredentialType, Icon, INodeProperties } from "n8n-workflow";

const scopes: Record<Scope, true> = {
  "leads:read": true,
  "leads:write": true,
  "conversations:read": true,
  "conversations:write": true,
  "tickets:read": true,
  "tickets:write": true,
  "meetings:read": true,
  "webhooks:manage": true,
};

/** Returns an expression for an endpoint of the user's server. The base URL may end with a slash. */
const endpoint = (path: string) => `={{ $self["baseUrl"].replace(/\\/+$/, "") }}${path}`;

/** OAuth 2.0 with PKCE, by n8n's `oAuth2Api`, which also refreshes the tokens and stores the new pair. */
export class ParleyOAuth2Api implements ICredentialType {
  name = "parleyOAuth2Api";
  extends = ["oAuth2Api"];
  displayName = "Parley OAuth2 API";
  /** The homepage of the package. n8n's scanner requires a literal. */
  documentationUrl = "https://github.com/parley/parley/tree/main/packages/n8n-nodes-parley#readme";
  icon: Icon = { light: "file:../icons/parley.svg", dark: "file:../icons/parley.dark.svg" };
  properties: INodeProperties[] = [
    {
      displayName: "Base URL",
      name: "baseUrl",
      type: "string",
      default: "http://127.0.0.1:8080",
      placeholder: "https://parley.example.com",
      required: true,
      description: "Root address of your Parley server",
    },
    { displayName: "Grant Type", name: "grantType", type: "hidden", default: "pkce" },
    {
      displayName: "Authorization URL",
      name: "authUrl",
      type: "hidden",
      default: endpoint("/api/oauth/authorize"),
    },
    {
      displayName: "Access Token URL",
      name: "accessTokenUrl",
      type: "hidden",
      default: endpoint("/api/oauth/token"),
    },
    { displayName: "Scope", name: "scope", type: "hidden", default: Object.keys(scopes).join(" ") },
    { displayName: "Auth URI Query Parameters", name: "authQueryParameters", type: "hidden", default: "" },
    { displayName: "Authentication", name: "authentication", type: "hidden", default: "header" },
  ];
}

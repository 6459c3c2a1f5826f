import * as sdk from "@parley/sdk";
import * as webhooks from "@parley/sdk/webhooks";
import * as publicKey from "@parley/sdk/webhooks/public-key";
import * as request from "@parley/sdk/webhooks/request";
import { scenario } from "../scenario.mjs";

const baseUrl = new URLSearchParams(location.search).get("parley");
document.title = await scenario({ sdk, webhooks, request, publicKey }, baseUrl).catch((error) => `${error}`);

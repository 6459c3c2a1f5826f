import * as sdk from "@parley/sdk";
import * as webhooks from "@parley/sdk/webhooks";
import * as publicKey from "@parley/sdk/webhooks/public-key";
import * as request from "@parley/sdk/webhooks/request";
import { scenario } from "../scenario.mjs";

console.log(await scenario({ sdk, webhooks, request, publicKey }, process.env.PARLEY_URL));
